export type FolderCounts = Readonly<Record<string, number>>

/** Returns the folder that a file counts for: the folder directly below src/ or tests/, otherwise the top folder. */
export function getFolder(file: string): string {
  const parts = file.split('/').slice(0, -1)
  const depth = parts[0] === 'src' || parts[0] === 'tests' ? 2 : 1
  return parts.slice(0, depth).join('/') || '.'
}

/** Returns the number of findings per folder, in the order of folder names. */
export function countByFolder(findings: readonly { readonly file: string }[]): Record<string, number> {
  const folders = findings.map(({ file }) => getFolder(file)).sort()
  const counts: Record<string, number> = {}
  for (const folder of folders) counts[folder] = (counts[folder] ?? 0) + 1
  return counts
}

/** Returns the folders whose count differs from the stored one: `risen` is an error, `fallen` must be stored. */
export function compareCounts(counts: FolderCounts, stored: FolderCounts): { risen: string[]; fallen: string[] } {
  const folders = [...new Set([...Object.keys(counts), ...Object.keys(stored)])].sort()
  const getChange = (folder: string) => (counts[folder] ?? 0) - (stored[folder] ?? 0)
  return {
    risen: folders.filter((folder) => getChange(folder) > 0),
    fallen: folders.filter((folder) => getChange(folder) < 0),
  }
}

export const sumCounts = (counts: FolderCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
