/**
 * Parser of the lexicon's data files (./data). docs/recipes/language.md describes their format and how to add a
 * language.
 */
import type { TagId } from '../../../contract/events/event-tags.ts'

/** Synonym group: words that mean the same in front of a camera. */
export interface SynonymGroup {
  /** Each word stands for all others. Several words are a phrase. */
  readonly words: readonly string[]
  /** Hyponyms and signs: a query for one of `words` finds them too, but not the reverse. */
  readonly also?: readonly string[]
  /**
   * Words that only queries use: phrases that no description contains, and ambiguous words. The search does not look
   * for them.
   */
  readonly asks?: readonly string[]
  /** Tags that bridges use for it. */
  readonly tags?: readonly TagId[]
  /** Time or location, not a thing. Alone in a query it finds clips; beside a thing it never makes a clip match. */
  readonly setting?: true
  /**
   * Manner of moving, handling or wearing. People use many words for it, so it may be missing among several concepts.
   */
  readonly loose?: true
  /** Appearance of a thing: counts only in a sentence that also mentions the thing. */
  readonly look?: true
}

/** Named word lists of one data file; `@name` in its entries stands for the words. */
type WordLists = Readonly<Record<string, string>>

/** Data file of synonym groups: words are separated by commas. */
export interface SynonymFile {
  readonly lists?: WordLists
  readonly groups: readonly {
    readonly words: string
    readonly also?: string
    readonly asks?: string
    readonly tags?: readonly string[]
    /** Sets the flag of the same name in `SynonymGroup`. */
    readonly kind?: string
  }[]
}

/** Returns the words of a comma-separated list. Throws if it names a list that the file does not have. */
export function parseWordList(text: string, lists: WordLists = {}): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .flatMap((word) => (word.startsWith('@') ? parseWordList(findList(word.slice(1), lists)) : [word]))
}

function findList(name: string, lists: WordLists): string {
  const list = lists[name]
  if (list === undefined) throw new Error(`The lexicon has no word list named ${name}.`)
  return list
}

/** Returns the synonym groups of one data file, in its order. */
export function parseGroups({ lists, groups }: SynonymFile): SynonymGroup[] {
  return groups.map(({ words, also, asks, tags, kind }) => ({
    words: parseWordList(words, lists),
    ...(also === undefined ? {} : { also: parseWordList(also, lists) }),
    ...(asks === undefined ? {} : { asks: parseWordList(asks, lists) }),
    ...(tags === undefined ? {} : { tags: tags as readonly TagId[] }),
    ...(kind === undefined ? {} : { [kind]: true }),
  }))
}

/** Returns the lines of a language's data file as pairs: English phrase, and its translations. */
export const parseTranslations = (lines: readonly string[]): (readonly [english: string, words: string[]])[] =>
  lines.map((line) => {
    const [english = '', words = ''] = line.split(':')
    return [english.trim(), parseWordList(words)]
  })
