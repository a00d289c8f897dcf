import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TEST_FILE_PATTERN = /\.(test|spec)\.tsx?$/
const TITLE_PATTERN = /\b(?:test|describe)\b[^'"`\n]*?\(\s*(['"`])((?:(?!\1).)*)\1/g

export function listTestFiles(root: string): string[] {
  return readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((name) => TEST_FILE_PATTERN.test(name))
    .map((name) => `tests/${name}`)
    .sort()
}

/** Selected test files: `whole` files run all tests, `titled` files only the tests with a matching title. */
export interface TestSelection {
  readonly whole: readonly string[]
  readonly titled: readonly string[]
}

/** Selects tests by words in their file name or title, ignoring case. */
export function selectTests(root: string, files: readonly string[], words: readonly string[]): TestSelection {
  const containsWord = (text: string) => words.some((word) => text.toLowerCase().includes(word.toLowerCase()))
  const wholeFiles = files.filter((file) => containsWord(file.slice('tests/'.length)))
  const titleFiles = files.filter((file) => !wholeFiles.includes(file) && readTitles(root, file).some(containsWord))
  return { whole: wholeFiles, titled: titleFiles }
}

/** Returns files with a test that proves a requirement row. The title of such a test begins with the row's id. */
export function findFilesWithRequirementIds(root: string, files: readonly string[]): string[] {
  return files.filter((file) => readTitles(root, file).some((title) => /^[A-Z]+-\d{2,3}\b/.test(title)))
}

const readTitles = (root: string, file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(TITLE_PATTERN)].map(([, , title = '']) => title)

/**
 * Returns a pattern that matches titles with one of the words. The pattern ignores case without a flag, because
 * vitest's `-t` accepts no flags.
 */
export const createTitlePattern = (words: readonly string[]): string =>
  words.map((word) => [...word].map(createCharacterPattern).join('')).join('|')

const createCharacterPattern = (character: string): string =>
  /[a-z]/i.test(character)
    ? `[${character.toLowerCase()}${character.toUpperCase()}]`
    : character.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
