import { describe, expect, test } from 'vitest'
import { ALLOWED_SKIPS, findUnexpectedSkips } from '../../../scripts/lib/allowed-skips.ts'
import { findBadHabits } from '../../../scripts/lib/test-habits.ts'

const wrapInTest = (body: string) => `test('something', async () => {\n${body}\n})`
const listFindings = (text: string, maySkip = false) =>
  findBadHabits('a.spec.ts', text, maySkip).map(({ what: finding }) => finding)

describe('rejected test habit', () => {
  test.each([
    ["await page.route('**/x', (route) => route.fulfill({ status: 404 }))", /in place of one of our servers/],
    [
      "await context.route('**/x', async (route) => {\n await route.fulfill(answer)\n})",
      /in place of one of our servers/,
    ],
    ['await page.waitForTimeout(50)', /fixed time/],
    ["await page.waitForLoadState('networkidle')", /quiet network/],
    ['await new Promise((done) => setTimeout(done, 50))', /sleeps/],
    ['await new Promise((done) => { setTimeout(() => done(1), 4) })', /sleeps/],
    ["vi.mock('./store.ts')", /mocks/],
    ['expect(true).toBe(true)', /can't fail/],
    ['expect(1).toBe(1)', /can't fail/],
    ['problems.length = 0', /page problems by hand/],
    ['if (found) expect(found.id).toBe(1)', /where a condition holds/],
    ['found && expect(found.id).toBe(1)', /where a condition holds/],
    ['for (const one of all) if (one.on) expect(one.id).toBe(1)', /where a condition holds/],
    ['try { act() } catch (error) { expect(error).toBeDefined() }', /where a condition holds/],
    ['all.forEach((one) => { if (one.on) { expect(one.id).toBe(1) } })', /where a condition holds/],
  ])('%s', (body, pattern) => {
    expect(listFindings(wrapInTest(body))).toEqual([expect.stringMatching(pattern)])
  })

  test.each([
    'test.only',
    'it.skip',
    'describe.skip',
    'test.todo',
    'test.describe.only',
    'test.fixme',
    'describe.only',
  ])('%s', (name) => expect(listFindings(`${name}('x', () => {})`)).toHaveLength(1))

  test.each([
    "test.skipIf(isRoot)('x', () => {})",
    "describe.runIf(isRoot)('x', () => {})",
    "test.skipIf(isRoot)('x %s', () => {})",
    wrapInTest('return context.skip(reason)'),
  ])('%s, unless a list allows it', (text) => {
    expect(listFindings(text)).toEqual([expect.stringMatching(/allowed skips/)])
    expect(listFindings(text, true)).toEqual([])
  })

  test('is reported with its line', () => {
    expect(findBadHabits('a.spec.ts', wrapInTest('act()\nawait page.waitForTimeout(1)'))).toEqual([
      { line: 3, what: 'waits for a fixed time' },
    ])
  })
})

describe('code that is accepted everywhere:', () => {
  test.each([
    'if (all) expect(found).toEqual(all)\nelse expect(found).toEqual([])',
    "if (found === undefined) throw new Error('none')\nexpect(found).toBe(1)",
    'expect(found ? 1 : 2).toBe(1)',
    "await page.route('**/x', (route) => route.abort())",
    "await page.route('**/x', (route) => route.continue({ url }))",
    'problems.splice(0, problems.length, ...problems.filter((one) => !one.includes("404")))',
    'expect(await page.evaluate(() => document.title)).toBe(1)',
    'await new Promise((done) => setTimeout(done))',
    'const timer = setTimeout(cancel, 500)',
    'seen.skip()',
  ])('%s', (body) => expect(listFindings(wrapInTest(body))).toEqual([]))

  test('tests created in a loop or under a condition', () => {
    expect(listFindings(`for (const one of all) if (one.on) ${wrapInTest('expect(one.id).toBe(1)')}`)).toEqual([])
  })
})

describe('browser page test', () => {
  const listPageFindings = (body: string, before = '') =>
    findBadHabits('tests/e2e/a.spec.ts', `${before}\n${wrapInTest(body)}`).map(({ what: finding }) => finding)

  test.each([
    'problems.splice(0, 1)',
    'const left = problems.filter((one) => !one.includes("404"))',
    'problems.pop()',
    'problems.length = 1',
  ])('must forgive problems by name: not %s', (body) => {
    expect(listPageFindings(body)).toEqual([expect.stringMatching(/page problems by hand/)])
  })

  test.each([
    'expect(await page.evaluate(() => document.title)).toBe(1)',
    'expect((await tile.boundingBox())?.width).toBe(1)',
    'expect([await rows.count(), 1]).toEqual([2, 1])',
    'expect.soft(await rows.allTextContents()).toEqual([])',
    'expect(await Promise.all([one.textContent(), other.inputValue()])).toEqual([])',
    'for (const one of all) expect(await one.isVisible()).toBe(true)',
    'const box = await tile.boundingBox()\nexpect(box?.width).toBe(1)',
    'const [one, other] = await Promise.all([a.count(), b.count()])\nexpect(one).toBe(1)',
    'const { x } = await page.evaluate(() => ({ x: scrollX, y: 0 }))\nconst y = 1\nexpect(y).toBe(y)\nexpect(x).toBe(1)',
    'const shown = () => page.evaluate(() => 1)\nexpect(await shown()).toBe(1)',
    '// Settled:\nexpect(await page.evaluate(() => 1)).toBe(1)',
    '// Settled: the page is there.\nact()\nexpect(await page.evaluate(() => 1)).toBe(1)',
  ])('must repeat a read until it is as expected: not %s', (body) => {
    expect(listPageFindings(body).filter((finding) => /reads the page once/.test(finding))).toHaveLength(1)
  })

  test('must also repeat a read through a function of the file', () => {
    const before = 'async function widthOf(tile) {\n const box = await tile.boundingBox()\n return box.width\n}'
    expect(listPageFindings('expect(await widthOf(tile)).toBe(1)', before)).toHaveLength(1)
    const waits = 'async function widthOf(tile) {\n await expect(tile).toBeVisible()\n return tile.count()\n}'
    expect(listPageFindings('expect(await widthOf(tile)).toBe(1)', waits)).toEqual([])
  })

  test.each([
    'await expect.poll(() => page.evaluate(() => 1)).toBe(1)',
    'await expect.poll(async () => (await tile.boundingBox())?.width).toBe(1)',
    'await expect(async () => {\n expect(await rows.count()).toBe(1)\n}).toPass()',
    '// Settled: the tab has left the page that forgets.\nexpect(await page.evaluate(() => 1)).toBe(1)',
    '// The width is whole.\n// Settled: nothing moves any more.\nexpect((await tile.boundingBox())?.width).toBe(1)',
    '// Settled: nothing moves any more.\nconst box = await tile.boundingBox()\nexpect(box?.width).toBe(1)',
    '// Settled: nothing moves any more.\nfor (const one of all) expect(await one.isVisible()).toBe(true)',
    'const before = await rows.count()\nawait add.click()\nawait expect(rows).toHaveCount(before + 1)',
    'const before = await rows.count()\nexpect(all).toHaveLength(before)',
    'expect(await page.evaluate((id) => fetch(id).then((answer) => answer.status), id)).toBe(200)',
    'expect(await page.evaluate(async (from) => (await import(from)).rule(1), module)).toBe(2)',
    'expect(await provider.noted()).toBe(1)',
    'expect(new URL(page.url()).pathname).toBe(1)',
    'removeExpectedProblems(problems, { status: 404, path: /^.m.clip/ })',
  ])('may contain: %s', (body) => {
    expect(listPageFindings(body)).toEqual([])
  })
})

describe('skipped test', () => {
  const [allowed] = ALLOWED_SKIPS

  test('is expected if the list names it', () => {
    expect(findUnexpectedSkips([{ file: allowed!.file, title: `a suite ${allowed!.title}` }])).toEqual([])
  })

  test('is not expected with another title or in another file', () => {
    const skips = [
      { file: allowed!.file, title: 'another one' },
      { file: 'tests/unit/islands/events/parts/scroll-velocity.test.ts', title: allowed!.title },
    ]
    expect(findUnexpectedSkips(skips)).toEqual(skips)
  })
})
