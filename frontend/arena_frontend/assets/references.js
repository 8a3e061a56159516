// Writes all characters but letters, digits and spaces as character references, so that no Markdown is left.
export const encode = (text) => text.replace(/[^\p{L}\p{N} \n]/gu, (character) => `&#${character.codePointAt(0)};`);
