import { describe, expect, test } from 'vitest'
import { makeUniqueFileNames, toSafeFileName } from '../../../../../provider/events/export/archive-file-names.ts'

describe('the name of a file in an archive', () => {
  test.each([
    ['Front door 2026-11-20 09.41.07.mp4', 'Front door 2026-11-20 09.41.07.mp4'],
    ['Garten hinter dem Häuschen.mp4', 'Garten hinter dem Häuschen.mp4'],
    ['玄関 🚪.mp4', '玄関 🚪.mp4'],
    ['con', '_con'],
    ['NUL.mp4', '_NUL.mp4'],
    ['Com1.tar.mp4', '_Com1.tar.mp4'],
    ['lpt² .mp4', '_lpt².mp4'],
    ['CONIN$.mp4', '_CONIN$.mp4'],
    ['aux .txt.mp4', '_aux .txt.mp4'],
    ['\u200bprn.mp4', '_prn.mp4'],
    ['console.mp4', 'console.mp4'],
    ['com10.mp4', 'com10.mp4'],
    ['Door.mp4. . ', 'Door.mp4'],
    ['Door . .mp4', 'Door.mp4'],
    [' .. Door.mp4', 'Door.mp4'],
    ['Door\u202egpj.mp4', 'Doorgpj.mp4'],
    ['\u2066Do\u200dor\u2069\ufeff.mp4', 'Door.mp4'],
    ['Door\u2028left\u2029right.mp4', 'Door left right.mp4'],
    ['Do\u0000or\u0007\u009f.mp4', 'Door.mp4'],
    ['Door\t\r\n  left\u00a0\u3000.mp4', 'Door left.mp4'],
    ['Door \ud83d.mp4', 'Door.mp4'],
    ['Tu\u0308r.mp4', 'Tür.mp4'],
    ['\u202e.mp4', 'Clip.mp4'],
    ['...', 'Clip'],
    ['', 'Clip'],
  ])('%j becomes %j', (input, name) => {
    expect(toSafeFileName(input)).toBe(name)
    expect(toSafeFileName(name)).toBe(name)
  })

  test.each([
    ['x', 236],
    ['ü', 118],
    ['🚪', 59],
  ])('with many %s is cut between characters to fit every file system and keeps its extension', (sign, count) => {
    expect(toSafeFileName(`${sign.repeat(300)}.mp4`)).toBe(`${sign.repeat(count)}.mp4`)
  })

  test('is unique, even if names differ only in removed characters, case or Unicode composition', () => {
    const inputs = [
      'Door.mp4',
      'door.mp4',
      'Door\u202e.mp4',
      'Door (2).mp4',
      'T\u00fcr',
      'TU\u0308R',
      'nul',
      'NUL',
      '_nul',
    ]
    expect(makeUniqueFileNames(inputs)).toEqual([
      'Door.mp4',
      'door (2).mp4',
      'Door (3).mp4',
      'Door (2) (2).mp4',
      'Tür',
      'TÜR (2)',
      '_nul',
      '_NUL (2)',
      '_nul (3)',
    ])
    const long = makeUniqueFileNames(Array.from({ length: 500 }, () => `${'ü'.repeat(200)}.mp4`))
    expect(new Set(long).size).toBe(500)
    expect(Math.max(...long.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(255)
  })
})
