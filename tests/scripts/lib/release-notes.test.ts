import { expect, test } from 'vitest'
import { findReleaseNotes } from '../../../scripts/lib/release-notes.ts'

const CHANGELOG = `# Changelog

Intro.

## 0.2.0, not released

- Later.

## 0.1.0, 2026-12-01

### Added

- First.

## 0.0.9, 2026-11-01

- Earlier.
`

test('returns only the part about the version', () => {
  expect(findReleaseNotes(CHANGELOG, '0.1.0', 'v0.1.0')).toBe('### Added\n\n- First.')
  expect(findReleaseNotes(CHANGELOG, '0.0.9', 'v0.0.9')).toBe('- Earlier.')
})

test.each([
  ['0.1.0', 'v0.2.0', 'The tag is v0.2.0, but package.json has the version 0.1.0. Use the tag v0.1.0.'],
  ['0.1.0', '', 'The tag is missing, but package.json has the version 0.1.0. Use the tag v0.1.0.'],
  ['0.2.0', 'v0.2.0', 'In CHANGELOG.md, write the date of the release: ## 0.2.0, YYYY-MM-DD'],
  ['0.1', 'v0.1', 'In CHANGELOG.md, write the date of the release: ## 0.1, YYYY-MM-DD'],
])('refuses to release %s with the tag "%s"', (version, tag, message) => {
  expect(() => findReleaseNotes(CHANGELOG, version, tag)).toThrow(message)
})
