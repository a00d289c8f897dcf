import { getNewcombeInterval, getWilsonInterval } from '../../contract/telemetry/confidence-intervals.ts'
import { AUTOMATIC_EVENTS, METRICS } from '../../contract/telemetry/analytics-events.ts'
import { isInSample } from '../../contract/telemetry/browser-hash.ts'
import { ANALYTICS_EVENTS, VARIANTS, type StoredAnalyticsEvent } from '../../contract/telemetry/telemetry-calls.ts'
import { VITAL_LIMITS } from '../../contract/telemetry/web-vitals.ts'
import type { EventFigures } from '../../provider/telemetry/insights/insights-report.ts'

type Event = StoredAnalyticsEvent

/** Computes the figures of a report over a plain list of events, as docs/insights.md defines them. */
export function computeFigures(events: readonly Event[], sampleRate: number): EventFigures {
  const sampled = events.filter(({ device }) => isInSample(device, sampleRate))
  const count = (list: readonly Event[], type: string) => list.filter((event) => event.type === type).length
  return {
    sample_rate: sampleRate,
    visits: new Set(sampled.map(({ device, session }) => `${device} ${session}`)).size * sampleRate,
    visitors: new Set(sampled.map(({ device }) => device)).size * sampleRate,
    views: count(sampled, AUTOMATIC_EVENTS.pageViewed) * sampleRate,
    vitals: computeVitals(sampled),
    first_picture: computeFirstPicture(events),
    funnels: [
      ['Logging in', ANALYTICS_EVENTS.signInBegun, ANALYTICS_EVENTS.signedIn] as const,
      ['Buying', ANALYTICS_EVENTS.priceShown, ANALYTICS_EVENTS.payPressed, ANALYTICS_EVENTS.bought] as const,
    ].map(([name, ...steps]) => ({
      name,
      steps: steps.map((step, at) => ({
        name: step,
        people: [...Map.groupBy(events, ({ device }) => device).values()].filter((own) =>
          steps.slice(0, at + 1).every((type) => count(own, type) > 0),
        ).length,
        events: count(events, step),
      })),
    })),
    experiments: computeExperiments(events),
  }
}

const pickNearestRank = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? null

function computeVitals(events: readonly Event[]): EventFigures['vitals'] {
  const vitals = events.filter(({ type }) => type === AUTOMATIC_EVENTS.webVitals)
  const groups = Map.groupBy(vitals, ({ route, props }) => `${route} ${props['metric']}`)
  return [...groups]
    .toSorted(([a], [b]) => Number(a > b) - Number(a < b))
    .map(([key, group]) => {
      const [route = '', name] = key.split(' ')
      const metric = METRICS.find((candidate) => candidate === name) ?? 'FCP'
      const values = group.map(({ props }) => Number(props['value']))
      const rounded = values.map((value) => (metric === 'CLS' ? Math.round(value / 0.001) / 1000 : Math.round(value)))
      const good = values.filter((value) => value <= VITAL_LIMITS[metric][0]).length / values.length
      return { route, metric, count: values.length, p75: pickNearestRank(rounded, 0.75) ?? 0, good }
    })
}

function computeFirstPicture(events: readonly Event[]): EventFigures['first_picture'] {
  const values = events
    .filter(({ type }) => type === ANALYTICS_EVENTS.firstPicture)
    .map(({ props }) => Math.round(Number(props['ms'])))
  const [p50, p75, p95] = [0.5, 0.75, 0.95].map((share) => pickNearestRank(values, share))
  return { count: values.length, p50: p50 ?? null, p75: p75 ?? null, p95: p95 ?? null }
}

function computeExperiments(events: readonly Event[]): EventFigures['experiments'] {
  const exposures = events.filter(({ type }) => type === AUTOMATIC_EVENTS.exposure)
  const identify = ({ user, device }: Event) => (user === '' ? `device ${device}` : `user ${user}`)
  return [...Map.groupBy(exposures, ({ props }) => String(props['flag']))]
    .toSorted(([a], [b]) => Number(a > b) - Number(a < b))
    .map(([flag, flagExposures]) => {
      const people = [...Map.groupBy(flagExposures, identify)].filter(
        ([, own]) => new Set(own.map(({ props }) => props['variant'])).size === 1,
      )
      const arms = VARIANTS.map((variant) => {
        const group = people.filter(([, own]) => own[0]?.props['variant'] === variant)
        const buyers = group.filter(([person, own]) => {
          const first = Math.min(...own.map(({ at }) => at))
          const isPurchase = (event: Event) => event.type === ANALYTICS_EVENTS.bought && identify(event) === person
          return events.some((event) => isPurchase(event) && event.at >= first)
        })
        const share = group.length === 0 ? 0 : buyers.length / group.length
        const interval = getWilsonInterval(buyers.length, group.length)
        return { variant, seen: group.length, bought: buyers.length, share, interval }
      })
      const [control, treatment] = arms
      const isComparable = control && treatment && control.seen > 0 && treatment.seen > 0
      const difference = isComparable
        ? getNewcombeInterval(treatment.bought, treatment.seen, control.bought, control.seen)
        : null
      return { flag, arms, difference }
    })
}
