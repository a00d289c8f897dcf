import type { ComponentType } from 'react'

/** The browser does without this code: hydration keeps the content of the prerendered document. */
const content = import.meta.env.SSR ? await import('./SkeletonContent.tsx') : null
const KEPT = { dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true }

const createSkeleton = (className: string, Content: ComponentType | undefined) => (
  <div className={className} aria-busy {...(Content ? { children: <Content /> } : KEPT)} />
)

/** Skeletons of parts whose code loads after the page. */
export const OVERVIEW_SKELETON = createSkeleton('overview-wait', content?.OverviewContent)
export const WEEK_SKELETON = createSkeleton('phone-week', content?.WeekContent)
export const STRIP_SKELETON = createSkeleton('panel strip-wait', content?.StripContent)
export const PHONE_FILTERS_SKELETON = createSkeleton('contents', content?.PhoneFiltersContent)
export const FILTER_END_SKELETON = createSkeleton('filter-end', content?.FilterEndContent)
