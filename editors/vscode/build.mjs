// Bundles the extension into one file, and writes down the licences of what is in it.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const { metafile } = await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
  metafile: true,
});

const inside = Object.keys(metafile.inputs).map((file) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
const parts = [...new Set(inside.filter(Boolean))].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!license || !file) throw new Error(`${name} has no licence that could be shipped`);
  return { name, version, license, text: readFileSync(`${folder}/${file}`, "utf8").trim() };
});
const texts = parts.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`);
writeFileSync("THIRD-PARTY.txt", `This extension contains the following packages.\n\n${texts.join("\n---\n\n")}`);
// For the bill of materials of what is published; the extension does not contain it.
writeFileSync("dist/parts.json", JSON.stringify(parts.map(({ text, ...part }) => part)));
