/**
 * Parser of the lexicon's data files (./data). docs/recipes/language.md describes their format and how to add a
 * language.
 */
import type { TagId } from '../../../contract/events/event-tags.ts'

/** Synonym group: words with the same meaning in descriptions of clips. */
export interface SynonymGroup {
  /** Synonyms: a query for any entry finds all entries. An entry of several words is a phrase. */
  readonly words: readonly string[]
  /** Narrower terms, and signs of the thing: a query for one of `words` also finds them, but not the reverse. */
  readonly also?: readonly string[]
  /**
   * Words that occur only in queries: phrases that no description contains, and ambiguous words. They select the group,
   * but the search does not look for them in clips.
   */
  readonly asks?: readonly string[]
  /** Event tags that bridges assign to the thing. */
  readonly tags?: readonly TagId[]
  /**
   * True for a time or location, which is not a thing. A query of such words alone finds clips; if the query also names
   * a thing, they are not enough for a match.
   */
  readonly setting?: true
  /**
   * True for a manner of moving, handling or wearing. Descriptions use many words for it, so a match may lack this
   * concept if the query has several concepts.
   */
  readonly loose?: true
  /** True for the appearance of a thing, which counts only in a sentence that also mentions the thing. */
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
    /** Name of the flag to set in the `SynonymGroup`. */
    readonly kind?: string
  }[]
}

/**
 * Returns the words of a comma-separated list, and replaces each `@name` by that list. Throws if `lists` has no such
 * name.
 */
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
