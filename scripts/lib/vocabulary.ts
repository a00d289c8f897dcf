/**
 * Deny-list of docs/glossary.md: names and phrases that the project avoids. scripts/check-vocabulary.ts counts their
 * uses.
 */
import ts from 'typescript'

export interface VocabularyFinding {
  readonly file: string
  readonly line: number
  readonly text: string
  /** The reason, as the end of a sentence. */
  readonly reason: string
}

const PRONOUNS = 'one what who whom whose which those these most least'
const PARTICIPLES =
  'told said asked known kept given taken wanted shown heard begun gone spent lent drawn left lost bought sold ' +
  'looked moved spoken bound tried happened named refused found back why thing'
/** Words of the lists above that are allowed as variable names, such as `left` of a rectangle. */
const ALLOWED_VARIABLES = new Set(['found', 'lost', 'moved', 'named', 'left', 'back', 'thing', 'bound', 'why'])
const DENIED_VARIABLE_NAMES = new Set(
  `${PRONOUNS} ${PARTICIPLES}`.split(' ').filter((name) => !ALLOWED_VARIABLES.has(name)),
)
const DENIED_TYPE_NAMES = new Set(
  `${PRONOUNS} ${PARTICIPLES}`.split(' ').map((name) => name.replace(/^./, (c) => c.toUpperCase())),
)
const DENIED_VERB_PATTERN =
  /^(?:follow|ask|tell|say|take|keep(?!Alive)|note|begin|forget|spend|turnAway|giveBack|letGo|goOn|look(?!Up)|prove|sweep)(?=[A-Z]|$)/
const DENIED_ENDING_PATTERN = /[a-z](?:Of|By|Words)$/
const DENIED_FILE_NAME_PATTERN = new RegExp(
  `(?:^|-)(?:${`${PRONOUNS} ${PARTICIPLES} words`.replaceAll(' ', '|')})$|^answer-`,
)
export const BRITISH_SPELLING_PATTERN =
  /licence|catalogue|cancell(?:ed|ing)|colour|\bgrey|centre|\benrol(?:s|ment)?\b|favourite|signalling|(?:authori|initiali|recogni|normali|organi|serialis|tokeni)s(?:e|ing|ation)|neighbour|behaviour|dialogue|labelled/i

const DENIED_OPENING_PATTERN =
  /^(?:What|Whatever|Whoever|Whom|Whose|Whether|Which|Where|Wherever|How|That (?!is\b)|Those|These|Of |So |Nobody|Somebody|Everybody|Anybody|Everything that|All that|As far|As long|As often|By what|By which|To whom|From where)\b/
export const DENIED_PHRASE_PATTERN = new RegExp(
  [
    String.raw`\b(?:anew|at once|by itself|whoever|whatever|nobody|somebody|everybody|anybody|of which|to whom)\b`,
    String.raw`\b(?:go|goes|going|went) on\b(?! (?:to|the|a|their)\b)`,
    String.raw`\b(?:is|are|was|be) over\b`,
    String.raw`\b(?:is|are|was|were|be|been) (?:told|said|spoken|asked for)\b`,
    String.raw`\bcomes? back\b`,
    String.raw`\bso (?:many|much|long|often)\b(?! (?:that|as)\b)`,
    String.raw`\bwhere (?:it|that|there|one) (?:is|was|has|can|does|knows)\b`,
  ].join('|'),
  'i',
)

/** Returns the findings in one source file (.ts, .tsx, .mjs, .astro, .css); `file` is relative to the project. */
export function findInSource(file: string, text: string): VocabularyFinding[] {
  const names = /\.(?:tsx?|mjs)$/.test(file) ? findInNames(file, text) : []
  return [...findInFileName(file), ...names, ...listComments(text).flatMap((comment) => findInProse(file, comment))]
}

/** Returns the findings in one Markdown file. Code blocks, inline code and text in double quotes do not count. */
export function findInMarkdown(file: string, text: string): VocabularyFinding[] {
  let isCode = false
  return text.split('\n').flatMap((line, at) => {
    if (line.startsWith('```')) isCode = !isCode
    return isCode ? [] : findInProse(file, { line: at + 1, text: line.replace(/^[#>*\-\d.\s|]+/, ''), isOpening: true })
  })
}

interface ProseLine {
  readonly line: number
  readonly text: string
  readonly isOpening: boolean
}

function findInProse(file: string, { line, text, isOpening }: ProseLine): VocabularyFinding[] {
  const prose = text.replace(/`[^`]*`|"[^"]*"/g, '``')
  const opening = isOpening ? DENIED_OPENING_PATTERN.exec(prose)?.[0] : undefined
  const phrase = DENIED_PHRASE_PATTERN.exec(prose)?.[0] ?? BRITISH_SPELLING_PATTERN.exec(prose)?.[0]
  if (opening) return [{ file, line, text, reason: `begins with "${opening.trim()}": put the subject first` }]
  return phrase ? [{ file, line, text, reason: `says "${phrase}"` }] : []
}

/** Returns the comments of a file, line by line. Finds only comments that start a line or follow code and a space. */
function listComments(text: string): ProseLine[] {
  let isBlock = false
  return text.split('\n').flatMap((row, at) => {
    const trimmed = row.trim()
    const commentStart = /^(?:\{?\/\*\*?|\/\/|<!--)\s*(.*)$/.exec(trimmed)
    const trailing = /[;,{}()\]\w'] \/\/ (.+)$/.exec(row)
    const wasBlock = isBlock
    if (commentStart && !trimmed.startsWith('//')) isBlock = !/\*\/|-->/.test(trimmed)
    else if (wasBlock) isBlock = !/\*\/|-->/.test(trimmed)
    const content = wasBlock ? trimmed.replace(/^\*\s?/, '') : (commentStart?.[1] ?? trailing?.[1])
    if (content === undefined || content.startsWith('eslint-')) return []
    return [{ line: at + 1, text: content.replace(/\s*(?:\*\/\}?|-->)$/, ''), isOpening: !wasBlock }]
  })
}

/** Exempts pages, whose file names are URLs, and stop-words.ts, because a stop word is a term of search engines. */
function findInFileName(file: string): VocabularyFinding[] {
  if (/^src\/pages\/|\/stop-words\.ts$/.test(file)) return []
  const name = file.replace(/^.*\//, '').replace(/\..*$/, '').toLowerCase()
  return DENIED_FILE_NAME_PATTERN.test(name)
    ? [{ file, line: 1, text: name, reason: 'is not a noun of the domain' }]
    : []
}

function findInNames(file: string, text: string): VocabularyFinding[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false)
  const findings: VocabularyFinding[] = []
  const visit = (node: ts.Node): void => {
    const name = findDeclaredName(node)
    const reason = name ? findNameProblem(name.text, node) : null
    if (name && reason) {
      const line = source.getLineAndCharacterOfPosition(name.end).line + 1
      findings.push({ file, line, text: name.text, reason })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return findings
}

/** Returns the name that a node declares; null for properties, because many of them are stored or sent. */
function findDeclaredName(node: ts.Node): ts.Identifier | null {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    isType(node)
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name : null
}

const isType = (node: ts.Node) =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeParameterDeclaration(node)

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return true
  const value = ts.isVariableDeclaration(node) ? node.initializer : undefined
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
}

function findNameProblem(name: string, node: ts.Node): string | null {
  if (BRITISH_SPELLING_PATTERN.test(name)) return 'is not American spelling'
  if (isType(node) || ts.isClassDeclaration(node)) return DENIED_TYPE_NAMES.has(name) ? 'is not a noun' : null
  if (DENIED_VARIABLE_NAMES.has(name)) return 'is a pronoun or a participle'
  if (!isFunction(node)) return null
  if (DENIED_VERB_PATTERN.test(name)) return 'is a verb that the glossary replaces'
  return DENIED_ENDING_PATTERN.test(name) ? 'must be a verb and an object' : null
}
