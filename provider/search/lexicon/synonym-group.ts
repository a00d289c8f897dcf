import type { TagId } from '../../../contract/events/event-tags.ts'

/** Words that mean the same in front of a camera. */
export interface Group {
  /** Any of them stands for all; several words are a phrase. */
  readonly words: readonly string[]
  /** What is found too when one of `words` is asked for, but does not ask for them itself: kinds of it, or signs of it. */
  readonly also?: readonly string[]
  /** What asks for it too, but is not looked for: phrases that nobody describes a picture with, and words that mean other things as well. */
  readonly asks?: readonly string[]
  /** What a bridge tags it with. */
  readonly tags?: readonly TagId[]
  /** Says where or when, not what: alone it finds, but it makes nothing else found. */
  readonly setting?: true
  /** Says how something moves, is handled or worn: people call that by many names, so that of several things asked this one may be missing. */
  readonly loose?: true
  /** Says what something looks like: it counts only in a sentence that says the something too. */
  readonly look?: true
}

interface More {
  readonly also?: string
  readonly asks?: string
  readonly tags?: readonly TagId[]
  readonly setting?: true
  readonly loose?: true
}

export const split = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** A group of words divided by commas. */
export const group = (words: string, { also, asks, ...more }: More = {}): Group => ({
  words: split(words),
  ...(also === undefined ? {} : { also: split(also) }),
  ...(asks === undefined ? {} : { asks: split(asks) }),
  ...more,
})

/** A group of how things look. */
export const looks = (words: string, more: More = {}): Group => ({ ...group(words, more), look: true })

/** A group of what is done. */
export const doing = (words: string, also = '', asks = ''): Group =>
  group(words, { ...(also !== '' && { also }), ...(asks !== '' && { asks }) })

/** A group of how something moves or is handled. */
export const moving = (words: string, also = '', asks = ''): Group => ({ ...doing(words, also, asks), loose: true })
