import ts from 'typescript'
import { findReadFunctions, isOneShot } from './one-shot-reads.ts'

export interface BadHabit {
  readonly line: number
  readonly what: string
}

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe', 'context'])
const FOCUS_MODIFIERS = new Set(['only', 'todo', 'fails', 'fixme'])
const SKIP_MODIFIERS = new Set(['skip', 'skipIf', 'runIf'])
const PROBLEM_REMOVAL_MESSAGE =
  'removes page problems by hand: list the expected ones with removeExpectedProblems(problems, { status, path })'
const ONE_SHOT_MESSAGE =
  'reads the page once, which may be too early: use expect.poll or a locator, or say why in a comment (`// Settled: ...`)'

/** Returns the bad habits of a test file. `maySkip`: the list of allowed skips names this file. */
export function findBadHabits(file: string, text: string, maySkip = false): BadHabit[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const readFunctions = file.startsWith('tests/e2e/') ? findReadFunctions(source) : null
  const habits: BadHabit[] = []
  const visit = (node: ts.Node): void => {
    const habit =
      describeHabit(node, maySkip) ??
      (readFunctions === null ? undefined : describeBrowserTestHabit(node, readFunctions))
    if (habit !== undefined)
      habits.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, what: habit })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return habits
}

function describeHabit(node: ts.Node, maySkip: boolean): string | undefined {
  if (ts.isStringLiteral(node) && node.text === 'networkidle') return 'waits for a quiet network'
  if (ts.isStringLiteral(node) && /^(node:)?timers\/promises$/.test(node.text)) return 'sleeps'
  if (isProblemsReset(node)) return PROBLEM_REMOVAL_MESSAGE
  if (ts.isPropertyAccessExpression(node)) return describeMemberHabit(node, maySkip)
  return ts.isCallExpression(node) ? describeCallHabit(node) : undefined
}

function describeBrowserTestHabit(node: ts.Node, readFunctions: ReadonlySet<string>): string | undefined {
  if (!ts.isCallExpression(node)) return undefined
  if (/^problems\.(splice|filter|pop|shift)$/.test(node.expression.getText())) return PROBLEM_REMOVAL_MESSAGE
  return isOneShot(node, readFunctions) ? ONE_SHOT_MESSAGE : undefined
}

/** Returns true if a node empties the list of problems that a test has collected: `problems.length = 0`. */
function isProblemsReset(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    node.left.getText() === 'problems.length'
  )
}

function describeMemberHabit(node: ts.PropertyAccessExpression, maySkip: boolean): string | undefined {
  const member = node.name.text
  if (member === 'fulfill') return 'responds in place of one of our servers'
  if (member === 'waitForTimeout') return 'waits for a fixed time'
  if (!TEST_FUNCTIONS.has(getRootName(node))) return undefined
  if (FOCUS_MODIFIERS.has(member)) return 'is focused, left for later, or meant to fail'
  return SKIP_MODIFIERS.has(member) && !maySkip ? 'skips without being on the list of allowed skips' : undefined
}

/** Returns the first name of a member chain, such as `test` in `test.describe.only`. */
function getRootName(node: ts.Expression): string {
  return ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)
    ? getRootName(node.expression)
    : ts.isIdentifier(node)
      ? node.text
      : ''
}

function describeCallHabit(node: ts.CallExpression): string | undefined {
  const callee = node.expression.getText()
  if (/^vi\.(do)?mock$/.test(callee)) return 'mocks one of our modules'
  if (isSleep(node, callee)) return 'sleeps'
  if (callee !== 'expect') return undefined
  const [value] = node.arguments
  if (value !== undefined && isConstant(value)) return "can't fail"
  return isConditional(node) ? 'asserts only where a condition holds' : undefined
}

/** Returns true if a call sleeps: `new Promise((done) => setTimeout(done, 50))`. Ignores timers without a delay. */
function isSleep(node: ts.CallExpression, callee: string): boolean {
  const [task, time] = node.arguments
  if (!/^(globalThis\.|window\.)?setTimeout$/.test(callee) || task === undefined || time === undefined) return false
  for (let up: ts.Node = node.parent; !ts.isSourceFile(up); up = up.parent) {
    if (ts.isNewExpression(up) && up.expression.getText() === 'Promise') return true
    if (ts.isFunctionLike(up) && !ts.isArrowFunction(up)) return false
  }
  return false
}

const CONSTANT_KINDS = new Set([
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.StringLiteral,
])
const isConstant = (node: ts.Expression): boolean => CONSTANT_KINDS.has(node.kind)

/**
 * Returns true if an assertion can be skipped: after `&&`, `||` or `??`, in a `catch`, or in a branch of `if` or `? :`
 * whose other branch asserts nothing.
 */
function isConditional(node: ts.Node): boolean {
  let child = node
  for (
    let ancestor = node.parent;
    !ts.isSourceFile(ancestor) && !isTestBody(child);
    child = ancestor, ancestor = ancestor.parent
  ) {
    if (ts.isIfStatement(ancestor) && child !== ancestor.expression) {
      const other = child === ancestor.thenStatement ? ancestor.elseStatement : ancestor.thenStatement
      if (other === undefined || !containsAssertion(other)) return true
    }
    if (ts.isConditionalExpression(ancestor) && child !== ancestor.condition)
      if (!containsAssertion(child === ancestor.whenTrue ? ancestor.whenFalse : ancestor.whenTrue)) return true
    if (ts.isBinaryExpression(ancestor) && child === ancestor.right && isShortCircuit(ancestor.operatorToken.kind))
      return true
    if (ts.isCatchClause(ancestor)) return true
  }
  return false
}

const isShortCircuit = (kind: ts.SyntaxKind): boolean =>
  kind === ts.SyntaxKind.AmpersandAmpersandToken ||
  kind === ts.SyntaxKind.BarBarToken ||
  kind === ts.SyntaxKind.QuestionQuestionToken

/**
 * Returns true if a node is the callback of `test` or `describe`. A condition outside of the callback does not make an
 * assertion conditional.
 */
function isTestBody(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) &&
    ts.isCallExpression(node.parent) &&
    TEST_FUNCTIONS.has(getRootName(node.parent.expression))
  )
}

function containsAssertion(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true
  if (ts.isCallExpression(node) && /^expect/.test(node.expression.getText())) return true
  return ts.forEachChild(node, (child) => containsAssertion(child) || undefined) ?? false
}
