import { cutMappings } from './map-cuts.ts'

const PRELOAD_LIST_PATTERN = /^const __vite__mapDeps=.*$/
const PRELOAD_USE_PATTERN = /,__vite__mapDeps\(\[[\d,]*\]\)/g

/**
 * Removes Vite's preload list and all uses of the list from a chunk. `moved` adjusts the mappings of the chunk's source
 * map.
 */
export function removePreloadLists(code: string): {
  code: string
  hasList: boolean
  moved: (mappings: string) => string
} {
  const lines = code.split('\n')
  const lists = lines.flatMap((text, line) => (PRELOAD_LIST_PATTERN.test(text) ? [line] : []))
  const cuts = lines.flatMap((text, line) =>
    [...text.matchAll(PRELOAD_USE_PATTERN)].map(({ 0: { length }, index: column }) => ({ line, column, length })),
  )
  const left = lines.filter((_, line) => !lists.includes(line)).map((text) => text.replace(PRELOAD_USE_PATTERN, ''))
  return {
    code: left.join('\n'),
    hasList: lists.length > 0,
    moved: (mappings) => (cuts.length + lists.length > 0 ? cutMappings(mappings, cuts, lists) : mappings),
  }
}
