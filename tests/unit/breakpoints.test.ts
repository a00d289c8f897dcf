import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  DESKTOP_BREAKPOINT_PX,
  DRAWER_WIDTH_REM,
  HEADER_HEIGHT_PX,
  PLANS_LABEL_BREAKPOINT_PX,
} from '../../contract/constants.ts'
import { isSmallViewport } from '../../src/domain/viewport.ts'

const style = (name: string) => readFileSync(new URL(`../../src/styles/${name}.css`, import.meta.url), 'utf8')
/** What a rule says, its nested rules included. */
const rule = (css: string, selector: string) =>
  new RegExp(`\\n  \\${selector} \\{\\n(.*?)\\n  \\}`, 's').exec(css)?.[1] ?? ''

test('CONST-03 styles and scripts break at 990, 700 and 420 px; header 64 px, drawer 15rem', () => {
  const [tokens, header] = [style('tokens'), style('header')]
  expect(DESKTOP_BREAKPOINT_PX).toBe(990)
  expect(tokens).toContain(`--breakpoint-nav: ${DESKTOP_BREAKPOINT_PX}px;`)
  expect(rule(header, '.menu-toggle')).toMatch(/@media \(width >= 990px\) \{\s+display: none;/)
  expect(rule(header, '.drawer')).toMatch(/@media \(width >= 990px\) \{\s+display: none;/)
  expect(tokens).toContain(`--breakpoint-plans: ${PLANS_LABEL_BREAKPOINT_PX}px;`)
  expect(PLANS_LABEL_BREAKPOINT_PX).toBe(420)
  expect(rule(header, '.header')).toContain(`height: ${HEADER_HEIGHT_PX}px;`)
  expect(HEADER_HEIGHT_PX).toBe(64)
  expect(rule(header, '.drawer')).toContain(`width: ${DRAWER_WIDTH_REM}rem;`)
  expect(DRAWER_WIDTH_REM).toBe(15)
  expect([699, 700].map(isSmallViewport)).toEqual([true, false])
})
