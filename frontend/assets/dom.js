// Builds elements from text and attributes; nothing here ever parses markup.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return made;
}

export const at = (id) => document.getElementById(id);

// A link an owner gave: http and https only, in a new tab.
export function outward(link, ...children) {
  if (!/^https?:\/\//i.test(link ?? "")) return null;
  return element("a", { href: link, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}
