import { describe, expect, test } from 'vitest'
import { createConcept, toMatchQuery } from '../../../../../provider/search/query/concept.ts'
import { parseQuery } from '../../../../../provider/search/query/parse-query.ts'

const CAMERAS = [
  { device_id: 'door', name: 'Front door' },
  { device_id: 'garden', name: 'Backyard' },
]
const toEnglishTerm = ({
  asked: terms,
  devices,
  said: text,
}: {
  asked: readonly string[]
  devices: readonly string[]
  said: string
}) => terms[0] ?? (devices.length > 0 ? `at ${text}` : text)

/**
 * Parses a query in any language, and returns the English terms of its concepts. Each excluded term has the prefix `-`.
 */
const toEnglishConcepts = (query: string) => {
  const { concepts, not } = parseQuery(query, CAMERAS)
  return [...concepts.map(toEnglishTerm), ...not.map((concept) => `-${toEnglishTerm(concept)}`)].join(', ')
}
const listUnknownTokens = (query: string) => parseQuery(query, CAMERAS).unknown

describe('a German query', () => {
  test.each([
    ['Wann kommt der Paketbote an?', 'arrive, courier'],
    ['Paketbote stellt ein Paket vor der Haustür ab', 'courier, leave, parcel, front door'],
    ['Hund bellt die Katze auf dem Gartenzaun an', 'dog, bark, cat, fence'],
    ['Zwei rote Autos fuhren vorbei', 'two car, red, car, driving, pass'],
    ['Einbrecher mit Taschenlampe', 'stranger, torch'],
    ['Wer hat das Paket mitgenommen?', 'parcel, take in'],
    ['weder Hund noch Katze im Garten', 'garden, -dog, -cat'],
    ['Hund bellt nicht', 'dog, -bark'],
    ['noch ein Hund', 'dog'],
    ['Kind', 'child'],
  ])('%j is parsed as %s', (query, expected) => {
    expect(toEnglishConcepts(query)).toBe(expected)
    expect(listUnknownTokens(query)).toEqual([])
  })

  test('is parsed the same without umlauts, and with an e instead of their dots', () => {
    const expected = toEnglishConcepts('Mädchen läuft über die Straße zur Tür')
    expect(expected).toBe('girl, run, street, front door')
    expect(toEnglishConcepts('Madchen lauft uber die Strasse zur Tur')).toBe(expected)
    expect(toEnglishConcepts('Maedchen laeuft ueber die Strasse zur Tuer')).toBe(expected)
  })

  test('is not recognized from a stop word alone', () => {
    expect(toEnglishConcepts('hat')).toBe('hat')
    expect(toEnglishConcepts('bald man')).toBe('bald, man')
    expect(toEnglishConcepts('a chat in the garden')).toBe('chat, garden')
  })
})

describe('a French query', () => {
  test.each([
    ['les enfants sortent à vélo', 'child, leave, bike'],
    ['le livreur déposait un colis devant l’entrée', 'courier, leave, parcel, front door'],
    ['deux femmes promènent leurs chiens', 'two woman, woman, walk, dog'],
    ['le chien n’aboie pas', 'dog, -bark'],
    ['un chat qui ne dort pas sur le canapé', 'cat, sofa, -sleep'],
    ['il n’y a personne dans le jardin', 'garden, -person'],
    ['il n’y a pas de voiture', '-car'],
    ['une voiture bleue ou verte', 'car, blue'],
  ])('%j is parsed as %s', (query, expected) => {
    expect(toEnglishConcepts(query)).toBe(expected)
    expect(listUnknownTokens(query)).toEqual([])
  })

  test('is parsed the same without accents, and with ligatures as two letters', () => {
    expect(toEnglishConcepts('ecureuil sur la cloture')).toBe(toEnglishConcepts('écureuil sur la clôture'))
    expect(toEnglishConcepts('un œil, un oeil')).toBe('')
    expect(listUnknownTokens('le chat a un œil')).toEqual(['œil'])
  })
})

describe('a Spanish query', () => {
  test.each([
    ['¿Cuándo llegaron los vecinos?', 'arrive, neighbour'],
    ['alguien dejó una caja en la puerta', 'person, leave, parcel, front door'],
    ['una niña montando en bici', 'girl, ride, bike'],
    ['dos gatas blancas durmiendo', 'two cat, cat, white, sleep'],
    ['ni perro ni gato en el jardín', 'garden, -dog, -cat'],
    ['no hay nadie', '-person'],
    ['un perro come', 'dog, eat'],
  ])('%j is parsed as %s', (query, expected) => {
    expect(toEnglishConcepts(query)).toBe(expected)
    expect(listUnknownTokens(query)).toEqual([])
  })
})

describe('a Hindi query', () => {
  test.each([
    ['कूरियर वाला दरवाज़े पर पार्सल रखता है', 'courier, front door, parcel'],
    ['दो औरतें कुत्ते को घुमाती हैं', 'two woman, woman, dog, walk'],
    ['लोमड़ी भागती हुई', 'fox, run'],
    ['बगीचे में कोई नहीं है', 'garden, -person'],
    ['बिल्ली लेकिन रात में नहीं', 'cat, -night'],
    ['बिना कुत्ते के आदमी', 'man, -dog'],
    ['कोई कुत्ता', 'dog'],
  ])('%j is parsed as %s', (query, expected) => {
    expect(toEnglishConcepts(query)).toBe(expected)
    expect(listUnknownTokens(query)).toEqual([])
  })

  test('is parsed the same without nukta dots, and with anusvara instead of chandrabindu', () => {
    expect(toEnglishConcepts('लड़का दरवाजे पर झांकता')).toBe(toEnglishConcepts('लड़का दरवाज़े पर झाँकता'))
  })
})

test('a camera named after a place in another language matches that place in English', () => {
  const cameras = [
    { device_id: 'drive', name: 'Einfahrt' },
    { device_id: 'door', name: 'Haustür' },
  ]
  const devices = (query: string) => parseQuery(query, cameras).concepts.flatMap((concept) => concept.devices)
  expect(devices('Hund in der Einfahrt')).toEqual(['drive'])
  expect(devices('dog on the driveway')).toEqual(['drive'])
  expect(devices('Katze draußen')).toEqual(['drive', 'door'])
})

test('a counted thing in a query may have a color', () => {
  expect(parseQuery('two red cars', []).concepts.map(({ said: text }) => text)).toEqual(['two', 'red', 'cars'])
})

test('a query for a courier does not match things that go up', () => {
  const courier = toMatchQuery(parseQuery('courier', []).concepts[0] ?? createConcept({}))
  expect(courier).toContain('"postman"')
  expect(courier).not.toContain('"ups"')
})
