import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkDocumentSize } from '../../../scripts/lib/page-weight.ts'

const client = mkdtempSync(join(tmpdir(), 'page-weight-'))
afterAll(() => rmSync(client, { recursive: true }))

/** Writes a document that compresses to about `kib` KiB. */
function writeDocument(kib: number): void {
  writeFileSync(join(client, '404.html'), randomBytes(kib * 1024).toString('base64'))
}

test('a document within its limit is kept', () => {
  writeDocument(10)
  expect(checkDocumentSize(client, '404.html')).toMatchObject({ isKept: true })
})

test('a document above its limit is not kept, and the line names size and limit', () => {
  writeDocument(12)
  const { line, isKept } = checkDocumentSize(client, '404.html')
  expect(isKept).toBe(false)
  expect(line).toMatch(/^404\.html: document of 12\.\d\d KiB, limit 11$/)
})
