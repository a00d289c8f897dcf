import { describe, expect, test } from 'vitest'
import { parseRequirementRows, collectProofs } from '../../../scripts/lib/ledger.ts'
import type { TestLevel } from '../../../scripts/lib/reports.ts'

const rows = parseRequirementRows(`
| ID | Requirement | Seen where | How |
|---|---|---|---|
| NAV-01 | Three entries. | §1 | browser |
| CART-11 | Adds. | §4 | unit |
| CALL-08 | A call. | §7 | http |
| CALL-20 | An address of the edge. | §7 | http |
| EVENT-10 | Hours. | §4 | unit; browser |
| LAYOUT-12 | Breakpoints. | §2 | build: compiled CSS holds each; browser at both sides |
| OPEN-01 | S | A point. | §4 | Settled. |
`)
const listIds = (found: readonly { id: string }[]) => found.map((row) => row.id)

describe('requirements ledger', () => {
  test('does not treat open points as rows', () =>
    expect(listIds(rows)).toEqual(['NAV-01', 'CART-11', 'CALL-08', 'CALL-20', 'EVENT-10', 'LAYOUT-12']))

  test('a passed test at the level of the row proves it; a failed test does not', () => {
    expect(
      listIds(collectProofs(rows, [{ title: 'CART-11 add raises both', level: 'unit', passed: true }]).proven),
    ).toEqual(['CART-11'])
    expect(collectProofs(rows, [{ title: 'CART-11 add raises both', level: 'unit', passed: false }]).proven).toEqual([])
  })

  const listProvenIds = (...tests: [title: string, level: TestLevel][]) =>
    listIds(
      collectProofs(
        rows,
        tests.map(([title, level]) => ({ title, level, passed: true })),
      ).proven,
    )

  test('every level that a row names is required; a stronger level counts for a weaker one', () => {
    expect(listProvenIds(['EVENT-10 hours', 'unit'])).toEqual([])
    expect(listProvenIds(['EVENT-10 hours', 'http'], ['EVENT-10 hours', 'store'])).toEqual([])
    expect(listProvenIds(['EVENT-10 hours', 'browser'])).toEqual(['EVENT-10'])
    expect(listProvenIds(['CART-11 adds', 'http'])).toEqual(['CART-11'])
  })

  test('a build requirement is proven only by inspecting the build', () => {
    expect(listProvenIds(['LAYOUT-12 breakpoints', 'browser'])).toEqual([])
    expect(listProvenIds(['LAYOUT-12 breakpoints', 'build'])).toEqual([])
    expect(listProvenIds(['LAYOUT-12 breakpoints', 'build'], ['LAYOUT-12 breakpoints', 'browser'])).toEqual([
      'LAYOUT-12',
    ])
  })

  test('a call needs proof of its response and of a page that makes it, unless no page does (OPEN-136)', () => {
    expect(listProvenIds(['CALL-08 answers', 'http'])).toEqual([])
    expect(listProvenIds(['CALL-08 asked', 'browser'])).toEqual([])
    expect(listProvenIds(['CALL-08 answers', 'http'], ['CALL-08 asked', 'unit'])).toEqual([])
    expect(listProvenIds(['CALL-08 answers', 'http'], ['CALL-08 asked', 'store'])).toEqual(['CALL-08'])
    expect(listProvenIds(['CALL-08 answers', 'http'], ['CALL-08 asked', 'browser'])).toEqual(['CALL-08'])
    expect(listProvenIds(['CALL-20 answers', 'http'])).toEqual(['CALL-20'])
  })

  test('a unit test does not prove a row that requires a browser', () => {
    expect(collectProofs(rows, [{ title: 'NAV-01 three entries', level: 'unit', passed: true }]).proven).toEqual([])
  })

  test('a title with more than three ids, or with an unknown id, does not count', () => {
    const titles = ['CART-11 NAV-01 CALL-08 CART-11 all at once', 'CART-99 something']
    const proof = collectProofs(
      rows,
      titles.map((title) => ({ title, level: 'browser', passed: true })),
    )
    expect(proof.refused).toEqual(titles)
    expect(proof.proven).toEqual([])
  })
})
