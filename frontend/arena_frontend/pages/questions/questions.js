// Sets, filters and pages of questions are links and forms; this follows them without loading the page.

import "./swap.js";
