export { attach } from "./chat.js";
