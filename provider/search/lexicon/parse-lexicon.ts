/**
 * Parser of the lexicon data files in ./data. docs/recipes/language.md describes the file format and how to add a
 * language.
 */
import type { TagId } from '../../../contract/events/event-tags.ts'

/** Synonym group: words with the same meaning in descriptions of clips. */
export interface SynonymGroup {
  /** Synonyms: a query for one of them finds all of them. An entry of several words is a phrase. */
  readonly words: readonly string[]
  /**
   * Narrower terms, and signs of the thing. A query for one of `words` also finds these terms. A query for a narrower
   * term does not find `words`.
   */
  readonly also?: readonly string[]
  /**
   * Words that select the group in a query, but that the search does not look for in clips: ambiguous words, and
   * phrases that no description contains.
   */
  readonly asks?: readonly string[]
  /** Event tags that bridges give to clips with the thing. */
  readonly tags?: readonly TagId[]
  /**
   * True for a time or location. A query of only such concepts finds clips. If the query also names a thing, each match
   * must contain the thing.
   */
  readonly setting?: true
  /**
   * True for a manner of moving, handling or wearing. Descriptions rarely mention it the same way, so a match may lack
   * it if enough other concepts remain (`listRequirements`).
   */
  readonly loose?: true
  /**
   * True for the appearance of a thing, such as a color. If the query also names a thing, the appearance counts only in
   * a sentence that mentions a thing of the query.
   */
  readonly look?: true
}

/** Named word lists of one data file. In an entry, `@name` stands for all words of that list. */
type WordLists = Readonly<Record<string, string>>

/** Data file of synonym groups. Words are separated by commas. */
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
 * Returns the words of a comma-separated list. Replaces each `@name` by the words of that list in `lists`, and throws
 * for an unknown list.
 */
export function parseWordList(text: string, lists: WordLists = {}): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .flatMap((word) => (word.startsWith('@') ? parseWordList(getWordList(word.slice(1), lists)) : [word]))
}

function getWordList(name: string, lists: WordLists): string {
  const list = lists[name]
  if (list === undefined) throw new Error(`The lexicon has no word list named ${name}.`)
  return list
}

/** Returns the synonym groups of one data file, in file order. */
export function parseGroups({ lists, groups }: SynonymFile): SynonymGroup[] {
  return groups.map(({ words, also, asks, tags, kind }) => ({
    words: parseWordList(words, lists),
    ...(also === undefined ? {} : { also: parseWordList(also, lists) }),
    ...(asks === undefined ? {} : { asks: parseWordList(asks, lists) }),
    ...(tags === undefined ? {} : { tags: tags as readonly TagId[] }),
    ...(kind === undefined ? {} : { [kind]: true }),
  }))
}

/** Parses the lines of a translation file into pairs of an English phrase and its translations. */
export const parseTranslations = (lines: readonly string[]): (readonly [english: string, words: string[]])[] =>
  lines.map((line) => {
    const [english = '', words = ''] = line.split(':')
    return [english.trim(), parseWordList(words)]
  })
