import { PLAN_BRANDS } from '../../contract/brand.ts'

/** Page titles (OPEN-31): the first rule that matches gives the title, the others are generic. */
const RULES: readonly (readonly [pattern: RegExp, title: string])[] = [
  [/^\/live$/, 'Web Live View'],
  [/\/events/, 'Web Events'],
  [/\/redeem/, 'Coupon Redeem'],
]

/** The page of each plan has the title that the brand gives it. */
const PLAN_TITLES = new Map(
  Object.values(PLAN_BRANDS).flatMap(({ segment, title }) =>
    segment ? [[`/account/products/${segment}`, title]] : [],
  ),
)

export const GENERIC_TITLE = 'Web Portal'

/** Title of the page at `path` (ROUTE-25). */
export function titleOf(path: string): string {
  return RULES.find(([pattern]) => pattern.test(path))?.[1] ?? PLAN_TITLES.get(path) ?? GENERIC_TITLE
}
