/** `navkiln/three`: geometry out of three.js scenes, draw lists into them. An explicit list; needs three beside it. */
export {};
