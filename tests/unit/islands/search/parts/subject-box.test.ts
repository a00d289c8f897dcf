import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SubjectBox } from '../../../../../src/islands/search/parts/SubjectBox.tsx'

const render = (subject: [number, number, number, number], width: number, height: number) =>
  renderToStaticMarkup(createElement(SubjectBox, { subject, size: { width, height } }))
const readRect = (html: string) =>
  ['x', 'y', 'width', 'height'].map((name) => Math.round(Number(new RegExp(` ${name}="([\\d.]+)"`).exec(html)?.[1])))

test('the box lies around its object in the pixels of the picture, and the crop is that of the picture', () => {
  const html = render([200, 500, 100, 250], 1000, 600)
  expect(html).toContain('viewBox="0 0 1000 600"')
  expect(html).toContain('preserveAspectRatio="xMidYMid slice"')
  expect(html).toContain('aria-hidden="true"')
  // Padding: 12 px on each side.
  expect(readRect(html.slice(html.indexOf('<rect')))).toEqual([188, 288, 124, 174])
})

test('the box stays inside the picture', () => {
  expect(readRect(render([0, 750, 1000, 250], 1000, 600).replace(/<svg[^>]*>/, ''))).toEqual([12, 438, 976, 150])
})
