import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const gitFiles = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
const files = new Set(gitFiles.filter((file) => existsSync(file)))
const fileNames = new Set([...files].map((file) => basename(file)))
/**
 * Documents that the check skips. Decision 0090 lists old paths; the requirements and the notices refer to no files.
 */
const SKIPPED_DOCUMENTS = /^docs\/(decisions\/0090-.*|requirements|notices)\.md$/
const documents = [...files].filter((file) => file.endsWith('.md') && !SKIPPED_DOCUMENTS.test(file))

const PROJECT_PATH = /^(?:src|provider|functions|bridge|contract|scripts|tests|scenes|docs|public)\/[\w./-]*[\w/]$/
const TEST_FILE = /^[\w-]+\.(?:test|spec)\.tsx?$/

/** Returns the paths, test files and links in a document that point to no file. Ignores patterns and placeholders. */
function findMissing(document: string): string[] {
  const quoted = [...readFileSync(document, 'utf8').matchAll(/`([^`\s]+)`/g)].map(([, text = '']) => text)
  const missing = quoted.filter((text) =>
    PROJECT_PATH.test(text)
      ? !existsSync(text) && !existsSync(`${text}.ts`)
      : TEST_FILE.test(text) && !fileNames.has(text),
  )
  const links = [...readFileSync(document, 'utf8').matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(
    ([, link = '']) => link,
  )
  return [...missing, ...links.filter((link) => !existsSync(normalize(join(dirname(document), link))))]
}

describe('documents', () => {
  test.each(documents)('%s names files that exist', (document) => {
    expect(findMissing(document)).toEqual([])
  })

  test('SECURITY.md names tests that exist', () => {
    const table = /^Other attacks run[\s\S]*?(?=^## )/m.exec(readFileSync('SECURITY.md', 'utf8'))?.[0] ?? ''
    const tests = [...table.matchAll(/[\s,](?:unit|provider|bridge|scripts)\/[a-z0-9/-]+/g)].map(([text]) =>
      text.slice(1),
    )
    expect(tests.length).toBeGreaterThan(15)
    expect(tests.filter((name) => !files.has(`tests/${name}.test.ts`))).toEqual([])
  })
})
