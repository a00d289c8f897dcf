import { cutMappings } from './map-cuts.ts'

const LIST = /^const __vite__mapDeps=.*$/
const USE = /,__vite__mapDeps\(\[[\d,]*\]\)/g

/** Removes a chunk's preload list and its uses; `moved` adjusts the mappings of its source map. */
export function withoutLists(code: string): { code: string; hasList: boolean; moved: (mappings: string) => string } {
  const lines = code.split('\n')
  const lists = lines.flatMap((text, line) => (LIST.test(text) ? [line] : []))
  const cuts = lines.flatMap((text, line) =>
    [...text.matchAll(USE)].map(({ 0: { length }, index: column }) => ({ line, column, length })),
  )
  const left = lines.filter((_, line) => !lists.includes(line)).map((text) => text.replace(USE, ''))
  return {
    code: left.join('\n'),
    hasList: lists.length > 0,
    moved: (mappings) => (cuts.length + lists.length > 0 ? cutMappings(mappings, cuts, lists) : mappings),
  }
}
