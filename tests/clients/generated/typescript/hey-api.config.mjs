// The clients are modules of Node.js, whose imports name files.
export default {
  input: process.env.DOCUMENT,
  output: { path: "hey-api", module: { extension: ".js" } },
};
