import js from "@eslint/js";

const MARKUP = "Elements are built from text and attributes (shell.js); nothing parses markup.";

export default [
  js.configs.recommended,
  {
    files: ["frontend/arena_frontend/{assets,conversation,pages,shared}/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // tsc knows the browser's names
      "no-unused-vars": "off", // tsc reports them
      "no-control-regex": "off", // sanitiser.js takes control characters out
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      "no-unreachable-loop": "error",
      "no-throw-literal": "error",
      "array-callback-return": ["error", { checkForEach: false }],
      "no-restricted-syntax": [
        "error",
        { selector: "AssignmentExpression > MemberExpression.left[property.name=/^(inner|outer)HTML$/]", message: MARKUP },
        { selector: "CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe|createContextualFragment)$/]", message: MARKUP },
        { selector: "MemberExpression[object.name='document'][property.name=/^(write|writeln)$/]", message: MARKUP },
      ],
    },
  },
];
