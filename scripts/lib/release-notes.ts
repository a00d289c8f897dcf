import { StopError } from './stop.ts'

/**
 * Returns the part of the changelog about a version. Throws a `StopError` if the tag is not `v` and the version, or if
 * the changelog names no date for the version.
 */
export function findReleaseNotes(changelog: string, version: string, tag: string): string {
  if (tag !== `v${version}`)
    throw new StopError(
      `The tag is ${tag || 'missing'}, but package.json has the version ${version}. Use the tag v${version}.`,
    )
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## ${version}, `)) ?? ''
  const [heading = '', ...lines] = section.split('\n')
  if (!/, \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new StopError(`In CHANGELOG.md, write the date of the release: ## ${version}, YYYY-MM-DD`)
  return lines.join('\n').trim()
}
