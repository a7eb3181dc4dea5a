// The clients are Node.js modules, whose imports need file extensions.
export default {
  input: process.env.DOCUMENT,
  output: { path: "hey-api", module: { extension: ".js" } },
};
