// An SQL editor in place of a text field, which stays in the page and holds the text: colours, completion, undo, marked mistakes.
import {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from "@codemirror/autocomplete";
import {defaultKeymap, history, historyKeymap, isolateHistory} from "@codemirror/commands";
import {PostgreSQL, sql} from "@codemirror/lang-sql";
import {HighlightStyle, syntaxHighlighting} from "@codemirror/language";
import {EditorState, StateEffect, StateField} from "@codemirror/state";
import {Decoration, EditorView, drawSelection, keymap, lineNumbers} from "@codemirror/view";
import {tags} from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  {tag: tags.keyword, color: "var(--accent)", fontWeight: "600"},
  {tag: [tags.string, tags.special(tags.string)], color: "var(--good)"},
  {tag: [tags.number, tags.bool, tags.null, tags.standard(tags.name)], color: "var(--warn)"},
  {tag: [tags.lineComment, tags.blockComment], color: "var(--ink-3)"},
  {tag: tags.typeName, color: "var(--m-ssd_optane)"}
]);

const marking = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(marking)) return effect.value;
    return transaction.docChanged ? Decoration.none : value;
  },
  provide: (field) => EditorView.decorations.from(field)
});

// `tables`: [{name, description, columns: [[name, type, unit, description]]}]; `onRun`: Ctrl-Enter; `onChange`: after every change.
export function editor(field, {tables, label, onRun, onChange}) {
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      extensions: [
        lineNumbers(), history(), drawSelection(), closeBrackets(), marks,
        sql({dialect: PostgreSQL, schema: namespace(tables)}),
        PostgreSQL.language.data.of({autocomplete: columnsOf(tables)}),
        autocompletion({icons: false}),
        syntaxHighlighting(COLOURS),
        // Tab leaves the editor, so that the keyboard is not caught in it.
        keymap.of([{key: "Mod-Enter", run: () => { onRun(); return true; }}, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        globalThis.matchMedia?.("(max-width: 760px)")?.matches ? EditorView.lineWrapping : [],
        EditorView.contentAttributes.of({"aria-label": label, spellcheck: "false", autocapitalize: "off"}),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          field.value = view.state.doc.toString();
          onChange();
        })
      ]
    })
  });
  view.scrollDOM.tabIndex = 0; // where lines are cut off, the keyboard scrolls too
  field.hidden = true;
  field.after(view.dom);
  return {
    // Replaces the text as one change of its own, which undo takes back.
    set(text) {
      if (text !== view.state.doc.toString()) view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}, annotations: isolateHistory.of("full")});
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    // Marks the word at a place, counted in UTF-16 units, and its line; null takes the mark away.
    mark(at) {
      view.dispatch({effects: [marking.of(at == null ? Decoration.none : around(view.state, at)), ...(at == null ? [] : [EditorView.scrollIntoView(at)])]});
    },
    focus: () => view.focus()
  };
}

function around(state, at) {
  const line = state.doc.lineAt(at);
  const word = /^[\p{L}\p{N}_]+|^\S/u.exec(line.text.slice(at - line.from))?.[0] ?? "";
  const from = word ? at : Math.max(line.from, at - 1);
  const to = word ? at + word.length : at;
  return Decoration.set([Decoration.line({class: "mistaken-line"}).range(line.from), ...(to > from ? [Decoration.mark({class: "mistaken"}).range(from, to)] : [])]);
}

const option = ([name, type, unit, description]) => ({label: name, type: "property", detail: unit || type, info: description});

function namespace(tables) {
  const children = (names) => Object.fromEntries(names.map((each) => [each.name.split(".").at(-1), {self: {label: each.name.split(".").at(-1), type: "class", info: each.description}, children: each.columns.map(option)}]));
  const isRaw = ({name}) => name.startsWith("raw.");
  return {...children(tables.filter((each) => !isRaw(each))), raw: children(tables.filter(isRaw))};
}

// The columns of the tables that the text names, wherever one types a word: DuckDB lets `from` come first or last.
const columnsOf = (tables) => (context) => {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
  if (!word && !context.explicit || context.matchBefore(/\.[\p{L}\p{N}_]*/u)) return null;
  const words = new Set(context.state.doc.toString().toLowerCase().match(/[a-z_][a-z0-9_.]*/g));
  const options = new Map(tables.filter(({name}) => words.has(name)).flatMap(({columns}) => columns.map((column) => [column[0], option(column)])));
  return options.size ? {from: word?.from ?? context.pos, options: [...options.values()], validFor: /^[\p{L}\p{N}_]*$/u} : null;
};
