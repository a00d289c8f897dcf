import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSecrets } from '../../../scripts/lib/secrets-file.ts'
import { StopError } from '../../../scripts/lib/stop.ts'

describe('secrets.env', () => {
  let dataFolder: string
  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-secrets-'))
  })
  afterEach(() => rmSync(dataFolder, { recursive: true }))
  const getSecretsPath = () => join(dataFolder, 'secrets.env')

  test('is created once, differs between folders, and is readable only by its owner', () => {
    const first = loadSecrets(dataFolder)
    expect(loadSecrets(dataFolder)).toEqual(first)
    expect(statSync(getSecretsPath()).mode & 0o777).toBe(0o600)
    const other = mkdtempSync(join(tmpdir(), 'porchlight-secrets-'))
    expect(loadSecrets(other).MEDIA_KEY).not.toBe(first.MEDIA_KEY)
    rmSync(other, { recursive: true })
  })

  test('a missing line is regenerated and the others are kept', () => {
    const first = loadSecrets(dataFolder)
    writeFileSync(getSecretsPath(), readFileSync(getSecretsPath(), 'utf8').replace(/^ADMIN_KEY=.*\n/m, ''))
    const second = loadSecrets(dataFolder)
    expect(second.ADMIN_KEY).not.toBe(first.ADMIN_KEY)
    expect({ ...second, ADMIN_KEY: '' }).toEqual({ ...first, ADMIN_KEY: '' })
  })

  test('a truncated line stops the start with an explanation and changes nothing', () => {
    loadSecrets(dataFolder)
    writeFileSync(
      getSecretsPath(),
      readFileSync(getSecretsPath(), 'utf8').replace(/^MEDIA_KEY=.*$/m, 'MEDIA_KEY=short'),
    )
    const truncated = readFileSync(getSecretsPath(), 'utf8')
    expect(() => loadSecrets(dataFolder)).toThrow(/MEDIA_KEY in .* is incomplete\. Restore the file/)
    expect(readFileSync(getSecretsPath(), 'utf8')).toBe(truncated)
  })

  test('new secrets for existing accounts are announced', () => {
    const lines: string[] = []
    loadSecrets(dataFolder, (line) => lines.push(line))
    mkdirSync(join(dataFolder, 'state/provider/v3'), { recursive: true })
    loadSecrets(dataFolder, (line) => lines.push(line))
    expect(lines).toEqual([])
    rmSync(getSecretsPath())
    loadSecrets(dataFolder, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringContaining(`${getSecretsPath()} was missing`)])
  })

  test('an unreadable file stops the start with an explanation', () => {
    mkdirSync(getSecretsPath())
    expect(() => loadSecrets(dataFolder)).toThrow(StopError)
    expect(() => loadSecrets(dataFolder)).toThrow(/can't be read .* Nothing was changed\./)
  })
})
