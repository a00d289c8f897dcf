import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  CAMERA_BRANDS,
  detectBrand,
  listSearchPaths,
  SEARCHED_PATHS_MAX,
} from '../../../../contract/cameras/camera-brands.ts'

const guide = readFileSync('docs/cameras.md', 'utf8')

describe('the table of camera brands', () => {
  test.each(CAMERA_BRANDS.flatMap(({ name, streams }) => streams.map(({ main, sub }) => [name, main, sub] as const)))(
    'is the one of the guide: %s, %s',
    (name, main, sub) => {
      const rows = guide.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`${main}\``))
      expect(rows.filter((row) => row.includes(name))).toHaveLength(1)
      expect(rows.find((row) => row.includes(name))).toContain(sub === null ? 'none' : `\`${sub}\``)
    },
  )

  test('has every brand of the guide', () => {
    const table = guide.slice(guide.indexOf('| Brand '))
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2)
    const names = rows.map((row) => row.split('|')[1]?.trim() ?? '')
    expect(names.filter((name) => !CAMERA_BRANDS.some((brand) => name.includes(brand.name)))).toEqual([])
    expect(names.length).toBeGreaterThan(7)
  })

  test('gives a search at most five different main streams, those of the brand first', () => {
    for (const { id, streams } of [...CAMERA_BRANDS, { id: '', streams: [] }]) {
      const mains = listSearchPaths(id).map(({ main }) => main)
      expect(mains.slice(0, streams.length)).toEqual(streams.map(({ main }) => main))
      expect(new Set(mains).size).toBe(mains.length)
      expect(mains).toHaveLength(SEARCHED_PATHS_MAX)
    }
  })

  test('recognizes a brand in what a camera says of itself', () => {
    expect(['HIKVISION DS-2CD2043', 'TP-LINK Tapo C200', 'Reolink RLC-810A', 'Camera 1', ''].map(detectBrand)).toEqual([
      'hikvision',
      'tapo',
      'reolink',
      '',
      '',
    ])
  })
})
