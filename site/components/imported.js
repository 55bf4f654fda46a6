import {html} from "npm:htl";
import {address, facts} from "./facts.js";
import {originAddress} from "./origin.js";

// What stands on the page of an excerpt before anything else: whose it is, under which licence, and what is not in it.
export function imported(d) {
  if (d.source_type !== "excerpt") return null;
  const {origin_repository: repository, origin_commit: commit, origin_path: path} = d;
  const tree = originAddress(repository, commit, path, {kind: "tree"});
  return html`<p class="note"><strong>Imported; not verified by its author.</strong> The raw files lie elsewhere; here is what ${d.submitted_by} had read from them.</p>
    <div class="card">${facts([
      ["Measured by", d.origin_measured_by],
      ["Raw files", tree ? html`<a href=${tree} rel="noopener noreferrer nofollow">${repository}${path ? `, ${path}` : ""}</a>` : address(repository), html`at commit <code class="hash">${commit}</code>, retrieved on ${d.origin_retrieved_on}`],
      ["Licence", d.origin_licence, `${d.origin_copyright}; ${d.origin_licence_evidence}`],
      ["Statement of the author", d.origin_statement, d.origin_statement_note],
      ["Left out", d.origin_left_out],
      ["To be cited as", d.origin_citation]
    ])}</div>`;
}

// The raw file behind a row of an excerpt: its address, its line and its hash.
export function rawFile(repository, commit, {origin_path: path, origin_sha256: sha256, origin_line: line}) {
  const url = originAddress(repository, commit, path, {line});
  return html`<small>${url ? html`<a href=${url} rel="noopener noreferrer nofollow">${path}</a>` : path}${line ? `, line ${line}` : ""}<br><code class="hash">${sha256}</code></small>`;
}

export const originPlace = (submission, d) => d.origin_sha256 ? rawFile(submission.origin_repository, submission.origin_commit, d) : null;
