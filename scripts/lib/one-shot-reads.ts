import ts from 'typescript'

/** Calls that return the current state of a page without waiting. */
const READ_METHODS: ReadonlySet<string> = new Set([
  'evaluate',
  'evaluateAll',
  'boundingBox',
  'count',
  'title',
  'content',
  'getAttribute',
  'allTextContents',
  'allInnerTexts',
  'textContent',
  'innerText',
  'innerHTML',
  'inputValue',
  'isVisible',
  'isHidden',
  'isEnabled',
  'isDisabled',
  'isChecked',
  'isEditable',
])
/** Matches a comment that explains why a read is not too early, such as `// Settled: the dialog is open.` */
const SETTLED_COMMENT_PATTERN = /^\/\/ Settled: \S+ \S+/

/**
 * Returns the names of functions that read a page without waiting, such as `getText` in `const getText = () =>
 * page.evaluate(...)`.
 */
export function findReadFunctions(source: ts.SourceFile): ReadonlySet<string> {
  const readFunctions = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name && node.body && isReadFunction(node.body, readFunctions))
      readFunctions.add(node.name.text)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      if (ts.isArrowFunction(node.initializer) && isReadFunction(node.initializer.body, readFunctions))
        readFunctions.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return readFunctions
}

function isReadFunction(body: ts.Node, readFunctions: ReadonlySet<string>): boolean {
  if (/\bexpect\b|\bwaitFor\w*\(/.test(body.getText())) return false
  return containsRead(body, readFunctions)
}

/**
 * Returns true if an `expect` call checks a value that the test read from the page only once. Such a check can run too
 * early. Returns false if a `Settled` comment permits the check.
 */
export function isOneShot(call: ts.CallExpression, readFunctions: ReadonlySet<string>): boolean {
  if (!/^expect(\.soft)?$/.test(call.expression.getText())) return false
  const [value] = call.arguments
  const statement = findOutermostStatement(call)
  if (value === undefined || statement === undefined || isPolled(call) || hasSettledComment(statement)) return false
  return awaitsRead(value, readFunctions) || comesFromEarlierRead(value, statement, readFunctions)
}

/** Returns true if this node awaits a read. Ignores callbacks, because they run later. */
function awaitsRead(node: ts.Node, readFunctions: ReadonlySet<string>): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isAwaitExpression(node) && containsRead(node.expression, readFunctions)) return true
  return ts.forEachChild(node, (child) => awaitsRead(child, readFunctions) || undefined) ?? false
}

function containsRead(node: ts.Node, readFunctions: ReadonlySet<string>): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isCallExpression(node) && isReadCall(node, readFunctions)) return true
  return ts.forEachChild(node, (child) => containsRead(child, readFunctions) || undefined) ?? false
}

function isReadCall(call: ts.CallExpression, readFunctions: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(call.expression)) return readFunctions.has(call.expression.text)
  if (!ts.isPropertyAccessExpression(call.expression) || !READ_METHODS.has(call.expression.name.text)) return false
  // A call that fetches or imports does not depend on the current state of the page.
  return !call.arguments.some((argument) => /\b(fetch|import)\(/.test(argument.getText()))
}

/**
 * Returns true if a value comes from a read in a preceding statement: `const box = await tile.boundingBox()`, then
 * `expect(box?.width)`.
 */
function comesFromEarlierRead(value: ts.Node, statement: ts.Statement, readFunctions: ReadonlySet<string>): boolean {
  if (!ts.isBlock(statement.parent)) return false
  const { statements } = statement.parent
  for (let at = statements.indexOf(statement) - 1; at >= 0; at -= 1) {
    const before = statements[at]
    if (before === undefined || !(ts.isVariableStatement(before) || isAssertion(before))) return false
    if (!ts.isVariableStatement(before) || hasSettledComment(before)) continue
    if (before.declarationList.declarations.some((declared) => isReadResult(declared, value, readFunctions)))
      return true
  }
  return false
}

const isAssertion = (statement: ts.Statement): boolean =>
  ts.isExpressionStatement(statement) && /^expect\b/.test(statement.expression.getText())

function isReadResult(
  declaration: ts.VariableDeclaration,
  value: ts.Node,
  readFunctions: ReadonlySet<string>,
): boolean {
  if (declaration.initializer === undefined || !awaitsRead(declaration.initializer, readFunctions)) return false
  return listBoundNames(declaration.name).some((name) => containsName(value, name))
}

const listBoundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : [...name.elements].flatMap((element) => (ts.isBindingElement(element) ? listBoundNames(element.name) : []))

function containsName(node: ts.Node, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name
  return ts.forEachChild(node, (child) => containsName(child, name) || undefined) ?? false
}

/** Returns true if a node is in a function that `expect.poll` or `toPass` repeats. */
function isPolled(node: ts.Node): boolean {
  for (let up = node.parent; !ts.isSourceFile(up); up = up.parent)
    if (ts.isFunctionLike(up) && ts.isCallExpression(up.parent) && /^expect\b/.test(up.parent.expression.getText()))
      return true
  return false
}

/** Returns the outermost statement in the enclosing block, such as a complete `for (const row of rows) expect(...)`. */
function findOutermostStatement(node: ts.Node): ts.Statement | undefined {
  let found: ts.Statement | undefined
  for (let up: ts.Node = node; !ts.isBlock(up) && !ts.isSourceFile(up); up = up.parent)
    if (ts.isStatement(up)) found = up
  return found
}

function hasSettledComment(statement: ts.Statement): boolean {
  const text = statement.getSourceFile().text
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []
  return comments.some(({ pos, end }) => SETTLED_COMMENT_PATTERN.test(text.slice(pos, end)))
}
