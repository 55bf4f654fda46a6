// The files that a person chose or dropped: {files: [{path, file}], names}, where `names` are what was chosen itself.
export function chosenFiles(list) {
  const files = [...list].map((file) => ({path: file.webkitRelativePath || file.name, file}));
  return {files, names: [...new Set(files.map(({path}) => path.split("/")[0]))]};
}

// Of a drop the folders are walked. What was dropped can be asked for at once only: the browser takes it away with the event.
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = (await Promise.all(entries.map((entry) => below(entry, "")))).flat();
  return {files, names: entries.map(({name}) => name)};
}

async function below(entry, folder) {
  const path = `${folder}${entry.name}`;
  if (entry.isFile) return [{path, file: await new Promise((done, fail) => entry.file(done, fail))}];
  const reader = entry.createReader();
  const inside = [];
  for (let some; some = await new Promise((done, fail) => reader.readEntries(done, fail)), some.length;) inside.push(...some); // a hundred at a time
  return (await Promise.all(inside.map((each) => below(each, `${path}/`)))).flat();
}

export function give(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
