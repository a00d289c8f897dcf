import { CHUNK_PATHS } from './chunk-paths.ts'

const matchesPath = (id: string, path: string): boolean => `/${id.replace('\0', '')}`.includes(`/${path}`)

/** Chunk groups in the bundler's format; a module belongs to the first group that names it. */
export const chunkGroups = Object.entries(CHUNK_PATHS).map(([name, paths], index, all) => ({
  name,
  test: (id: string) => paths.some((path) => matchesPath(id, path)),
  priority: all.length - index,
}))

/** Returns the entries of `CHUNK_PATHS` that match none of a build's module ids. */
export const findUnmatchedPaths = (ids: readonly string[]): string[] =>
  Object.values(CHUNK_PATHS)
    .flat()
    .filter((path) => !ids.some((id) => matchesPath(id, path)))
