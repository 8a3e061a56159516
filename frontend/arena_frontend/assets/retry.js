// Asks for the same address again; a refresh that is only declared does not load an address with a fragment again.
setTimeout(() => location.reload(), 1000 * Number(document.currentScript.dataset.seconds));
