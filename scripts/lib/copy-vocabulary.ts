/**
 * Deny-list for texts that people read: screens, emails, problem pages and terminal output. docs/copy.md has the
 * rules. scripts/check-vocabulary.ts reports each use.
 */
import ts from 'typescript'
import { BRITISH_SPELLING_PATTERN, DENIED_PHRASE_PATTERN, type VocabularyFinding } from './vocabulary.ts'

interface CopyRule {
  readonly pattern: RegExp
  readonly replacement: string
}

/** Words that only texts for people avoid, after the phrases and spellings that the project avoids everywhere. */
const COPY_RULES: readonly CopyRule[] = [
  { pattern: DENIED_PHRASE_PATTERN, replacement: 'a plainer phrase (docs/glossary.md)' },
  { pattern: BRITISH_SPELLING_PATTERN, replacement: 'American spelling' },
  { pattern: /\bby themselves\b/i, replacement: 'automatically' },
  { pattern: /\b(?:is|are|was) (?:not|never) known\b/i, replacement: 'a sentence that says what failed' },
  { pattern: /\be-mails?\b/i, replacement: 'email' },
  { pattern: /\b(?:this|our|your|each|no) letters?\b/i, replacement: 'email' },
  { pattern: /\b(?:your|this|our) box\b|\bbox at home\b/i, replacement: 'hub' },
  { pattern: /\bsecond factor\b/i, replacement: 'two-step verification' },
  { pattern: /\bbills?\b/i, replacement: 'invoice' },
  { pattern: /\byour book\b/i, replacement: 'ledger' },
  { pattern: /\bsign (?:in|out)\b(?! everywhere)/i, replacement: 'log in, log out' },
  { pattern: /\d %/, replacement: 'a percentage without a space' },
]

/**
 * Matches files whose strings are data, not texts for people: words that a search understands, styles and the
 * deny-lists.
 */
const DATA_FILES =
  /^provider\/search\/(?:lexicon|query)\/|^contract\/search\/|^scripts\/lib\/(?:copy-)?vocabulary\.ts$|^scenes\/|^tests\//

/** Texts that stay: a requirement quotes them, they are a play on words, or they are no texts but keys. */
const FIXED_TEXTS: ReadonlySet<string> = new Set([
  'You do not have access to this. Please sign in again or contact us for assistance.',
  'Nobody home at this address',
  'porchlight second factor …',
  'free licence',
])
/** Matches SQL, and the usage of a command, whose options are fixed names. */
const CODE_PATTERN = /^(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|usage:) /

/** Returns the denied words in the texts of one source file (.ts, .tsx, .mjs, .astro). */
export function findInCopy(file: string, source: string): VocabularyFinding[] {
  if (DATA_FILES.test(file)) return []
  const texts = file.endsWith('.astro') ? listAstroTexts(source) : listStrings(file, source)
  return texts.flatMap(({ line, text }) => {
    if (CODE_PATTERN.test(text) || FIXED_TEXTS.has(text)) return []
    const prose = text.replaceAll('aria-labelledby', '')
    const rule = COPY_RULES.find(({ pattern }) => pattern.test(prose))
    return rule ? [{ file, line, text, reason: `is user-facing text; write ${rule.replacement}` }] : []
  })
}

interface TextAtLine {
  readonly line: number
  readonly text: string
}

/** Returns the strings with at least two words, and the texts between JSX tags. */
function listStrings(file: string, source: string): TextAtLine[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const texts: TextAtLine[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxAttribute(node) && /^(?:className|id|href)$/.test(node.name.getText())) return
    const text = readText(node)
    if (text !== null && (/[a-z,.%] [a-z]/i.test(text) || /^[A-Z][a-z]+$/.test(text))) {
      texts.push({ line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text })
    }
    if (!ts.isTemplateExpression(node)) ts.forEachChild(node, visit)
    else node.templateSpans.forEach((span) => visit(span.expression))
  }
  visit(tree)
  return texts
}

function readText(node: ts.Node): string | null {
  if (node.parent === undefined || ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent))
    return null
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) {
    return node.text.replaceAll(/\s+/g, ' ').trim()
  }
  if (!ts.isTemplateExpression(node)) return null
  const parts = node.templateSpans.map((span) => `…${span.literal.text}`)
  return [node.head.text, ...parts].join('').replaceAll(/\s+/g, ' ').trim()
}

/** Returns the lines of an Astro file without its frontmatter, scripts, styles, comments and tags. */
function listAstroTexts(source: string): TextAtLine[] {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ')
  const body = source
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g, blank)
  return body.split('\n').flatMap((row, at) => {
    const text = row
      .replaceAll(/\b(?:class|id|href|src|d|style|slot|aria-labelledby)="[^"]*"|class:list=\{.*?\}/g, '')
      .replaceAll(/<\/?[\w.]*|\/?>/g, ' ')
      .trim()
    return text === '' ? [] : [{ line: at + 1, text }]
  })
}
