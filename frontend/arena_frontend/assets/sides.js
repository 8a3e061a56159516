// Sides and outcomes of this page: a direct chat has one model.

const DIRECT = location.pathname === "/direct";

export const SIDES = DIRECT ? ["a"] : ["a", "b"];
export const OUTCOMES = DIRECT ? ["good", "bad"] : ["a", "tie", "both_bad", "b"];
