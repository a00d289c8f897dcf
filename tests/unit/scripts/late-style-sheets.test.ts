import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const LATE_STYLES = /import \w+ from '([^']+\.css)\?url'/g
const IMPORT = /@import '([^']+)'( layer\()?/g
/** At-rules with effects on the whole document: the browser computes all styles and the layout of all texts again. */
const GLOBAL_RULE = /@(layer|font-face|property)\b/

/** Returns the style sheet and those that it imports. */
function listImports(path: string): string[] {
  const imports = [...readFileSync(path, 'utf8').matchAll(IMPORT)]
  return [path, ...imports.flatMap(([, file = '']) => listImports(join(dirname(path), file)))]
}

test('style sheets that load after the first screen do not lay out the whole page again', () => {
  const late = globSync('src/**/*.{ts,tsx}').flatMap((source) =>
    [...readFileSync(source, 'utf8').matchAll(LATE_STYLES)].map(([, file = '']) => join(dirname(source), file)),
  )
  expect(late.length).toBeGreaterThan(5)
  const problems = late
    .flatMap(listImports)
    .filter((path) => GLOBAL_RULE.test(readFileSync(path, 'utf8')) || / layer\(/.test(readFileSync(path, 'utf8')))
  expect(problems).toEqual([])
})

test('no style of a descendant depends on what the document contains', () => {
  // With such a rule, each change of the document computes the styles of many unrelated elements again.
  const problems = globSync('src/**/*.{css,astro}').filter((path) =>
    /(?:^|[\s,>])(?:html|body|main|:root|#content|#main):has\(/m.test(readFileSync(path, 'utf8')),
  )
  expect(problems).toEqual([])
})
