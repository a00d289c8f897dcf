import { describe, expect, test } from 'vitest'
import { layOutAxisLabels } from '../../../../src/domain/events/axis-labels.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

const WIDTH = 748
const END = new Date(2026, 10, 29, 22, 45).getTime()
const VIEW = { begin: END - 24 * HOUR_MS, end: END }
const listLabels = (...args: Parameters<typeof layOutAxisLabels>) => layOutAxisLabels(...args).map(({ label }) => label)

describe('labels of the axis', () => {
  test('reach as close to the end as their text allows', () => {
    const labels = listLabels(VIEW, WIDTH, null)
    expect(labels.at(-1)).toBe('21:00')
    expect(labels).toHaveLength(8)
    expect(listLabels({ begin: VIEW.begin, end: END - 75 * 60_000 }, WIDTH, null).at(-1)).toBe('18:00')
  })

  test('are whole hours around a searched time, whatever the width', () => {
    const begin = new Date(2026, 10, 29, 17).getTime()
    const hours = listLabels({ begin, end: begin + 4 * HOUR_MS }, 1100, null, 5)
    expect(hours.slice(1)).toEqual(['18:00', '19:00', '20:00', '21:00'])
    expect(hours[0]).toContain('17:00')
  })

  test('leave out those that the flag of the playhead covers', () => {
    const at = new Date(2026, 10, 29, 9, 24).getTime()
    const flagged = listLabels(VIEW, WIDTH, { at, label: '09:24:24' })
    expect(flagged).toEqual(listLabels(VIEW, WIDTH, null).filter((label) => label !== '09:00'))
    expect(listLabels(VIEW, WIDTH, { at: END, label: '22:45:00' })).not.toContain('21:00')
  })
})
