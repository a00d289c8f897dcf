import { describe, expect, test } from 'vitest'
import { ALLOWED_SKIPS, unexpected } from '../../scripts/lib/allowed-skips.ts'
import { habitsOf } from '../../scripts/lib/test-habits.ts'

const inTest = (body: string) => `test('something', async () => {\n${body}\n})`
const said = (text: string, maySkip = false) => habitsOf('a.spec.ts', text, maySkip).map(({ what }) => what)

describe('a habit that is refused', () => {
  test.each([
    ["await page.route('**/x', (route) => route.fulfill({ status: 404 }))", /in place of a server/],
    ["await context.route('**/x', async (route) => {\n await route.fulfill(answer)\n})", /in place of a server/],
    ['await page.waitForTimeout(50)', /fixed time/],
    ["await page.waitForLoadState('networkidle')", /quiet network/],
    ['await new Promise((done) => setTimeout(done, 50))', /sleeps/],
    ['await new Promise((done) => { setTimeout(() => done(1), 4) })', /sleeps/],
    ["vi.mock('./store.ts')", /mocks/],
    ['expect(true).toBe(true)', /cannot fail/],
    ['expect(1).toBe(1)', /cannot fail/],
    ['problems.length = 0', /every problem/],
    ['if (found) expect(found.id).toBe(1)', /where a condition holds/],
    ['found && expect(found.id).toBe(1)', /where a condition holds/],
    ['for (const one of all) if (one.on) expect(one.id).toBe(1)', /where a condition holds/],
    ['try { act() } catch (error) { expect(error).toBeDefined() }', /where a condition holds/],
    ['all.forEach((one) => { if (one.on) { expect(one.id).toBe(1) } })', /where a condition holds/],
  ])('%s', (body, what) => {
    expect(said(inTest(body))).toEqual([expect.stringMatching(what)])
  })

  test.each([
    'test.only',
    'it.skip',
    'describe.skip',
    'test.todo',
    'test.describe.only',
    'test.fixme',
    'describe.only',
  ])('%s', (name) => expect(said(`${name}('x', () => {})`)).toHaveLength(1))

  test.each([
    "test.skipIf(isRoot)('x', () => {})",
    "describe.runIf(isRoot)('x', () => {})",
    "test.skipIf(isRoot)('x %s', () => {})",
    inTest('return context.skip(reason)'),
  ])('%s, where no list allows it', (text) => {
    expect(said(text)).toEqual([expect.stringMatching(/allowed skips/)])
    expect(said(text, true)).toEqual([])
  })

  test('is named with its line', () => {
    expect(habitsOf('a.spec.ts', inTest('act()\nawait page.waitForTimeout(1)'))).toEqual([
      { line: 3, what: 'waits for a fixed time' },
    ])
  })
})

describe('what is refused nowhere:', () => {
  test.each([
    'if (all) expect(found).toEqual(all)\nelse expect(found).toEqual([])',
    "if (found === undefined) throw new Error('none')\nexpect(found).toBe(1)",
    'expect(found ? 1 : 2).toBe(1)',
    "await page.route('**/x', (route) => route.abort())",
    "await page.route('**/x', (route) => route.continue({ url }))",
    'problems.splice(0, problems.length, ...problems.filter((one) => !one.includes("404")))',
    'await new Promise((done) => setTimeout(done))',
    'const timer = setTimeout(cancel, 500)',
    'seen.skip()',
  ])('%s', (body) => expect(said(inTest(body))).toEqual([]))

  test('tests that are made in a loop or under a condition', () => {
    expect(said(`for (const one of all) if (one.on) ${inTest('expect(one.id).toBe(1)')}`)).toEqual([])
  })
})

describe('a skipped test', () => {
  const [allowed] = ALLOWED_SKIPS

  test('that the list names is expected', () => {
    expect(unexpected([{ file: allowed!.file, title: `a suite ${allowed!.title}` }])).toEqual([])
  })

  test('of another title or another file is not', () => {
    const skips = [
      { file: allowed!.file, title: 'another one' },
      { file: 'tests/unit/rush.test.ts', title: allowed!.title },
    ]
    expect(unexpected(skips)).toEqual(skips)
  })
})
