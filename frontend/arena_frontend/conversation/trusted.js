// What browsers with Trusted Types let become markup or a script: HTML that the arena's own server has rendered, and
// scripts of this origin.

/** @type {{ createHTML: (html: string) => string, createScriptURL: (address: string) => string }} */
const policy = Reflect.get(globalThis, "trustedTypes")?.createPolicy("arena", { createHTML: (html) => html, createScriptURL: own }) ?? { createHTML: (html) => html, createScriptURL: own };

function own(address) {
  if (new URL(address).origin !== location.origin) throw new TypeError("This script is not of the arena.");
  return address;
}

// The elements of HTML that the server has rendered; scripts in it would not run.
/** @type {(html: string) => Node[]} */
export const nodesOf = (html) => [...new DOMParser().parseFromString(policy.createHTML(html), "text/html").body.childNodes];

/** @type {(address: URL) => string} */
export const scriptAddress = ({ href }) => policy.createScriptURL(href);
