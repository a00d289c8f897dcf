import { describe, expect, test } from 'vitest'
import { parseLedger, prove } from '../../scripts/lib/ledger.ts'

const rows = parseLedger(`
| ID | Requirement | Seen where | How |
|---|---|---|---|
| NAV-01 | Three entries. | §1 | browser |
| CART-11 | Adds. | §4 | unit |
| CALL-08 | A call. | §7 | http |
| OPEN-01 | S | A point. | §4 | Settled. |
`)
const ids = (found: readonly { id: string }[]) => found.map((row) => row.id)

describe('the ledger', () => {
  test('open points are no rows', () => expect(ids(rows)).toEqual(['NAV-01', 'CART-11', 'CALL-08']))

  test('a passed test at the level of the row proves it, a failed one does not', () => {
    expect(ids(prove(rows, [{ title: 'CART-11 add raises both', level: 'unit', passed: true }]).proven)).toEqual([
      'CART-11',
    ])
    expect(prove(rows, [{ title: 'CART-11 add raises both', level: 'unit', passed: false }]).proven).toEqual([])
  })

  test('a unit test does not prove a row that wants a browser', () => {
    expect(prove(rows, [{ title: 'NAV-01 three entries', level: 'unit', passed: true }]).proven).toEqual([])
  })

  test('a title with more than three ids, or with one that no row has, does not count', () => {
    const titles = ['CART-11 NAV-01 CALL-08 CART-11 all at once', 'CART-99 something']
    const proof = prove(
      rows,
      titles.map((title) => ({ title, level: 'browser', passed: true })),
    )
    expect(proof.refused).toEqual(titles)
    expect(proof.proven).toEqual([])
  })
})
