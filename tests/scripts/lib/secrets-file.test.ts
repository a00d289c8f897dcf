import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSecrets } from '../../../scripts/lib/secrets-file.ts'
import { Stop } from '../../../scripts/lib/stop.ts'

describe('secrets.env', () => {
  let data: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'porchlight-secrets-'))
  })
  afterEach(() => rmSync(data, { recursive: true }))
  const path = () => join(data, 'secrets.env')

  test('is created once, differs between folders, and is readable only by its owner', () => {
    const first = loadSecrets(data)
    expect(loadSecrets(data)).toEqual(first)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    const other = mkdtempSync(join(tmpdir(), 'porchlight-secrets-'))
    expect(loadSecrets(other).MEDIA_KEY).not.toBe(first.MEDIA_KEY)
    rmSync(other, { recursive: true })
  })

  test('a missing line is regenerated and the others are kept', () => {
    const first = loadSecrets(data)
    writeFileSync(path(), readFileSync(path(), 'utf8').replace(/^ADMIN_KEY=.*\n/m, ''))
    const second = loadSecrets(data)
    expect(second.ADMIN_KEY).not.toBe(first.ADMIN_KEY)
    expect({ ...second, ADMIN_KEY: '' }).toEqual({ ...first, ADMIN_KEY: '' })
  })

  test('a truncated line stops the start with an explanation and changes nothing', () => {
    loadSecrets(data)
    writeFileSync(path(), readFileSync(path(), 'utf8').replace(/^MEDIA_KEY=.*$/m, 'MEDIA_KEY=short'))
    const cut = readFileSync(path(), 'utf8')
    expect(() => loadSecrets(data)).toThrow(/MEDIA_KEY in .* is cut short\. Restore the file/)
    expect(readFileSync(path(), 'utf8')).toBe(cut)
  })

  test('new secrets for existing accounts are announced', () => {
    const lines: string[] = []
    loadSecrets(data, (line) => lines.push(line))
    mkdirSync(join(data, 'state/provider/v3'), { recursive: true })
    loadSecrets(data, (line) => lines.push(line))
    expect(lines).toEqual([])
    rmSync(path())
    loadSecrets(data, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringContaining(`${path()} was missing`)])
  })

  test('an unreadable file stops the start with an explanation', () => {
    mkdirSync(path())
    expect(() => loadSecrets(data)).toThrow(Stop)
    expect(() => loadSecrets(data)).toThrow(/cannot be read .* Nothing was changed\./)
  })
})
