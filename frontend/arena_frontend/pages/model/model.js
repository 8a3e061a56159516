// The card of a model is saved as a PNG, which other sites take; without this script its link leads to the drawing.

import { HEIGHT, WIDTH, save } from "./share_card.js";
import { element } from "./shell.js";

document.getElementById("model-card")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  const picture = new Image();
  picture.src = link.href;
  await picture.decode();
  const canvas = element("canvas", { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d").drawImage(picture, 0, 0, WIDTH, HEIGHT);
  save(canvas, "model.png");
});
