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

interface More {
  readonly also?: string
  readonly asks?: string
  readonly tags?: readonly TagId[]
  readonly setting?: true
  readonly loose?: true
}

export const splitSynonyms = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

export const group = (words: string, { also, asks, ...more }: More = {}): SynonymGroup => ({
  words: splitSynonyms(words),
  ...(also === undefined ? {} : { also: splitSynonyms(also) }),
  ...(asks === undefined ? {} : { asks: splitSynonyms(asks) }),
  ...more,
})

export const looks = (words: string, more: More = {}): SynonymGroup => ({ ...group(words, more), look: true })

export const doing = (words: string, also = '', asks = ''): SynonymGroup =>
  group(words, { ...(also !== '' && { also }), ...(asks !== '' && { asks }) })

export const moving = (words: string, also = '', asks = ''): SynonymGroup => ({
  ...doing(words, also, asks),
  loose: true,
})
