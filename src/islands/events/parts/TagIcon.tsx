import { createElement } from 'react'
import { getTagIcon } from './tag-icons.ts'

/** Icon of a tag on a card. */
export const TagIcon = ({ name }: { name: string }) =>
  createElement(getTagIcon(name), { size: 14, 'aria-hidden': true })
