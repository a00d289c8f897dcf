/**
 * German words for the English lexicon, in standard spelling. Umlauts and `ß` match all their spellings. `*` stands for
 * any ending, `...` for words between two parts: the second part ends the clause unless dots follow it.
 */
export const GERMAN = `
old lady: alte frau, alte dame, alten frau, alten dame, ältere frau, ältere dame, älteren frau, älteren dame, oma, omas, grossmutter, seniorin*
man: alter mann, alten mann, älterer mann, älteren mann, alter herr, älterer herr, opa, opas, grossvater, vater, väter, papa, ehemann, senior, senioren
person: person, personen, mensch, menschen, jemand, jemanden, jemandem, leute, leuten, irgendjemand*, irgendwer, erwachsene*, gestalt, figur, einer da, alte leute, ältere leute
who: wer, wen, wem
man: junger mann, jungen mann, junge männer, mann, männer, männern, mannes, kerl, kerle, typ, typen, herr, herren, herrn, männlich*
woman: junge frau, jungen frau, junge frauen, junge dame, frau, frauen, dame, damen, mutter, mama, ehefrau, weiblich*, tante
son: sohn
daughter: tochter
girl: mädchen, mädel, mädels
boy: bub, buben, knabe
child: kind, kinder, kindern, kindes, junge, jungen, jungs, kleinkind*, baby, babys, jugendliche*, teenager, schulkind*, kids, schüler*, enkel*
visitor: besuch*, gast, gäste, gästen
stranger: fremd*, einbrecher*, einbruch*, dieb, diebe, dieben, unbekannt*, verdächtig*, eindringling*, räuber*, schleich*, herumschleich*, herumlunger*, lungert, lungern, langfinger, paketdieb*, komische gestalt
neighbour: nachbar*
courier: kurier*, bote, boten, botin, paketbot*, postbot*, postmann, postler*, briefträger*, zusteller*, zustell*, zugestellt*, lieferant*, lieferdienst*, paketdienst*, lieferung*, liefert*, geliefert*, liefern, lieferbot*, liefermann, lieferfahrer*, paketfahrer*, pizzabot*, bringdienst, post, postfrau
driver: fahrer*, autofahrer*
jogger: jogger*, joggt, joggen, joggte, gejoggt, joggend*, läufer*
pedestrian: fussgänger*, passant*, spaziergänger*
cyclist: radfahrer*, fahrradfahrer*, radler*, velofahrer*, mountainbiker*
handyman: handwerker*, arbeiter*, bauarbeiter*, mechaniker*, schreiner*, tischler*, monteur*
gardener: gärtner, gärtnerin, gärtners
plumber: klempner*, installateur*
electrician: elektriker*
cleaner: putzfrau*, fensterputzer*, reinigungskraft, putzmann
salesman: vertreter*, verkäufer*, hausierer*
police: polizei, polizist*, polizeiauto*, streifenwagen
couple: paar, pärchen, ehepaar
group: gruppe, gruppen, menge, bande
face: gesicht, gesichter
two: zwei, zweien, zweier, beide, beiden
three: drei, dreien
four: vier
five: fünf
six: sechs
several: mehrere, mehreren, mehrerer
animal: tier, tiere, tieren, tieres, wildtier*, vieh, viech*, lebewesen
pet: haustier*
puppy: welpe*, junger hund, junge hunde, jungen hund, hündchen
dog: hund, hunde, hunden, hundes, hündin*, köter, wauwau, labrador, retriever, terrier, nachbarshund, vierbeiner
kitten: junge katze, junge katzen, kätzchen, katzenbaby*
cat: katze*, kater, katers, mieze, miezen, miezekatze*, stubentiger, nachbarskatze*, kätzin, kitty
fox: fuchs*, füchse*, füchsin
squirrel: eichhörnchen, eichkätzchen, eichhorn
bird: vogel, vögel, vögeln, vogels, amsel*, krähe*, elster*, taube, tauben, spatz*, meise*, möwe*, rotkehlchen
owl: eule*
raccoon: waschbär*
deer: reh, rehe, rehen, hirsch*
hedgehog: igel, igels
badger: dachs, dachse
rabbit: hase, hasen, kaninchen
marten: marder
rat: ratte*
mouse: maus, mäuse
horse: pferd*
hen: huhn, hühner, henne*
duck: ente, enten
boar: wildschwein*
parcel: paket, pakete, paketen, pakets, päckchen, karton, kartons, schachtel*, sendung*, kiste, kisten, paketlieferung, pappkarton*
letter: brief, briefe, briefen, umschlag
mailbox: briefkasten, briefkästen
shopping: einkauf*, einkäufe*, lebensmittel*
bag: tasche, taschen, tüte, tüten, beutel, papiertüte*, plastiktüte*, handtasche*, rucksack, rucksäcke
car: auto, autos, wagen, pkw, pkws, kombi, limousine
vehicle: fahrzeug*, verkehr, autoverkehr
van: lieferwagen, transporter*, kastenwagen, kleinbus, paketwagen, postauto, lieferauto, paketauto, paketdienstwagen
truck: lkw, lkws, laster, lastwagen, lastkraftwagen
garbage truck: müllauto, müllwagen, müllabfuhr
ambulance: krankenwagen, rettungswagen
bus: bus, busse, bussen
taxi: taxi, taxis
motorbike: motorrad*, motorräder*, moped*, mofa*, roller, motorroller
tractor: traktor*
headlights: scheinwerfer*, autolicht*, abblendlicht, fernlicht
bike: fahrrad*, fahrräder*, rad, rads, räder, rädern, velo, velos, kinderrad, kinderfahrrad, radfahren, radelt, radeln
sledge: schlitten*, rodel*
snowman: schneemann
torch: taschenlampe*, lampe, taschenlampenlicht, stirnlampe*, handlampe
street lamp: strassenlaterne*, strassenlampe*, strassenbeleuchtung, laternenpfahl
ball: ball, bälle, bällen, balles, fussball, tennisball
toy: spielzeug*
glass breaking: glas zerbricht, zerbrochenes glas, glas zersplittert, glasbruch, glas geht kaputt, glas zerbrochen, zerbricht glas, scheibe zerbricht, glas splittert, scheibe eingeschlagen, klirrt, klirren, zersplittert*
glass: glas, gläser
glasses: brille, brillen
alarm: alarm, alarmanlage, sirene*, rauchmelder, feuermelder, feueralarm
noise: geräusch*, lärm, krach, ton
shot: schuss, schüsse
break: zerbricht, zerbrochen*, zerbrechen, kaputt*, zerbrach, zerschlägt, zerschlagen
knock over: umgestossen, stösst um, wirft um, umgeworfen, umgekippt, umwerfen, umstossen, kippt um, stösst ... um, wirft ... um, umgefallen, fällt um
mug: tasse*, becher, kaffee*, tee, teetasse*, kaffeebecher
drink: getränk*
sofa: sofa, sofas, couch
bench: bank, bänke, gartenbank
chair: stuhl, stühle
cushion: kissen
rug: teppich*
window sill: fensterbank, fensterbänke*, fensterbrett*, fenstersims*
window: fenster, fenstern, fensterscheibe*, scheibe
vacuum: staubsauger*, saugroboter*, staubsaugerroboter*, roboter*, robotersauger, wischroboter, staubsaugt, saugt staub
workbench: werkbank*, werkbänke, arbeitstisch*, arbeitsbank
tools: werkzeug*
halloween: halloween, kürbis*, laterne*, kostüm*, verkleidet*, kürbislaterne*, süssigkeiten, süsses oder saures, lampion*
mat: matte, fussmatte*, fussabtreter, türmatte, abtreter
steps: stufe, stufen, treppe, treppen, treppenstufen
pavement: gehweg*, gehsteig*, bürgersteig*, trottoir*, fussweg
path: weg, pfad, gartenweg
fence: zaun, zäune, gartenzaun, zauns, lattenzaun
hedge: hecke*
kennel: hundehütte*
bowl: napf, schüssel, fressnapf
watering can: giesskanne*
flower: blume, blumen, blüte, blüten
plants: pflanze, pflanzen
tree: baum, bäume, bäumen, baumes, kirschbaum
vegetable: gemüse*
garden bed: beet, beete, beeten, blumenbeet*, hochbeet*
book: buch, bücher, büchern
bookcase: bücherregal*, regal, regale, bücherschrank
snow: schnee, schnees, verschneit*, schneit, schneebedeckt*, schneefall
rain: regen, regnet, regnerisch*
fog: nebel, neblig*
moon: mond, mondlicht, mondschein
table: tisch, tische, couchtisch
floor: boden, fussboden
wall: wand, wände, mauer
phone: handy, handys, telefon*, smartphone
umbrella: regenschirm*, schirm
pushchair: kinderwagen
wheelchair: rollstuhl*, rollstühle
ladder: leiter
knife: messer
boat: boot, boote
bin: mülltonne*, mülleimer, tonne
garage door: garagentor*, garagentür*, tor der garage, rolltor, tor
gate: gartentor*, gartentür*, gartenpforte, pforte, einfahrtstor, hoftor
dark top: kapuzenpulli*, kapuzenpullover*, hoodie*, kapuze*, dunkler jacke, dunkle jacke, dunklen jacke, schwarze jacke, schwarzer jacke, dunkle kleidung, dunkler kleidung, dunkel gekleidet*, schwarz gekleidet*
jacket: jacke*
coat: mantel, mäntel, regenmantel
jumper: pullover*, pulli, pullis
top: oberteil*
shirt: hemd*, shirt, tshirt
trousers: hose, hosen
jeans: jeans
dress: kleid
cap: mütze, mützen, kappe, kappen, käppi
hat: hut, hüte
helmet: helm, helme, fahrradhelm*
shoes: schuh, schuhe, schuhen, stiefel
beard: bart, bärtig*, vollbart
hair: haar, haare, haaren
paws: pfote, pfoten
tail: schwanz
lead: leine, hundeleine
bark: bellt, bellen, bellte, bellten, gebellt, bellend*, gebell, kläfft, kläffen, kläffend*, hundegebell, knurrt, knurren, heult, jault
meow: miaut, miauen, miaute, miauend*, maunzt, maunzen
crying: weint, weinen, weinend*, geweint, schreit, schreien, kindergeschrei
talk: spricht, sprechen, sprach, gesprochen, redet, reden, redete, geredet, unterhalt, unterhalten, unterhält, gespräch*, redend*, stimme, stimmen, plaudert, plaudern, telefoniert, quatschen
ring: klingel*, geklingelt, läutet, läuten, geläutet, türklingel*, schellt, türglocke
knock: klopft*, klopfen, geklopft
comes home: heimkommen, heimkommt, heimgekommen, kommt heim, kommt nach hause, kommen nach hause, kam nach hause, nach hause kommt, nach hause kommen, nach hause gekommen, nach hause, kommt zurück, zurückkommt, zurückgekommen, zurückgekehrt, heimkehr*, zurückkommen, kommt ... heim, kommt ... zurück, kommen ... zurück, kam ... zurück, kehrt ... zurück
arrive: ankunft, ankommt, ankommen, ankam, angekommen, kommt an, kommen an, kommt ... an, kommen ... an, kam ... an, kamen ... an, eintrifft, trifft ein, eingetroffen, trifft ... ein, fährt ... vor, vorfährt, vorgefahren
enter inside: geht ins haus, gehen ins haus, kommt ins haus, kommen ins haus, betritt das haus, läuft ins haus, rennt ins haus
enter: herein*, hereinkommt, reinkommt, reinkommen, reingeht, reingegangen, reingekommen, hineingeht, betritt, betreten, hinein*, rein, eintritt, hineinfährt, fährt in die, fahren in die, fuhr in die, geht in die, geht ins, geht in den, läuft ins, läuft in die
leave: verlässt, verlassen, verliess, geht weg, gehen weg, weggeht, weggehen, weggegangen, ging weg, fährt weg, wegfährt, wegfahren, weggefahren, abfährt, abfahren, abgefahren, losfährt, losgefahren, abfahrt, geht ... weg, gehen ... weg, ging ... weg, fährt ... weg, fahren ... weg, fuhr ... weg, fährt ... los, fährt ... ab, läuft ... weg, rennt ... weg, läuft weg, rennt weg, wegläuft, wegrennt, weggelaufen, kommt aus, kommen aus, fährt aus, kommt ... heraus, kommt ... raus, geht ... raus, geht ... hinaus, geht ... aus, fährt ... raus, fährt ... hinaus, herauskommt, rauskommt, rausgeht, hinausgeht, rausfährt, hinausfährt, hinausgegangen, rausgegangen, heraus, raus, hinaus, fort, lässt, hinterlässt, hinterlassen, hinterlegt, stellt ... ab, stellt ... hin, legt ... ab, legt ... hin, abgestellt, abstellt, ablegt, abgelegt, hinlegt, hingelegt, wirft ... hin, hingeworfen, abgeben, abgegeben, abgibt, gibt ... ab, wirft ... ein, zurücklässt, zurückgelassen
reverses: rückwärts, rückwärtsfahren, setzt zurück
park: parkt*, parken, geparkt*, parkend*, einparken, einparkt, eingeparkt, parkendes, parkplatz, parkt ... ein
stop: hält, halten, hielt, angehalten, anhält, anhalten, stoppt, stoppen, bleibt stehen, stehenbleibt, hält ... an, stehengeblieben
driving: fährt, fahren, fuhr, fuhren, fahrend*, gefahren
turns: biegt, biegen, dreht, drehen, drehte, umgedreht, kehrtgemacht, bog, abbiegt, einbiegt, abbiegen, wendet
pass: vorbei*, überhol*, passiert die
run: rennt, rennen, rannte, rannten, gerannt, läuft, laufen, lief, liefen, gelaufen, laufend*, rennend*, sprintet, flitzt, flitzen, saust, rast, rasen
walk: geht, gehen, ging, gingen, gegangen, gehend*, spaziert, spazieren, spazierte, spazierengehen, gassi, läuft herum, spaziergang, spaziergänge, zu fuss, schlendert, schlendern, wandert, tapst, stolziert, streunt
ride: reitet, reiten, reitend*, ritt
cross: überquer*, kreuzt
trot: trabt, traben, trabend*
chase: jagt, jagen, jagte, gejagt, jagend*, verfolg*, hinterher*, nachlaufen, fangen, rennt ... nach, läuft ... nach
follow: folgt, folgen, folgte, gefolgt
play: spielt, spielen, spielte, spielten, gespielt, spielend*, tobt, toben, herumtoben, tollt, spiel, herumtollen
fetch: apportier*, bringt zurück, zurückbringt, zurückgebracht, stöckchen, bringt ... zurück
jump: springt, springen, sprang, sprangen, gesprungen, springend*, hüpft, hüpfen, hüpfte, hüpfend*, sprung, hopst
climb: klettert*, klettern, geklettert
wave: winkt*, winken, gewunken, gewinkt, winkend*, grüsst, grüssen, begrüsst, begrüssen
look around: schaut sich um, sieht sich um, umsieht, umschaut, umschauen, umsehen, schnüffel*, schnupper*, umher*, schaut ... um, sieht ... um, blickt ... um, guckt ... um, sucht herum, spioniert, ausspioniert, durchsucht, durchsuchen, späht
look: schaut, schauen, schaute, guckt, gucken, guckte, blickt, blicken, blick, beobachtet, beobachten, starrt, starren, zuschaut, hinausschaut, hinausschauen, rausguckt, rausschaut
wait: wartet*, warten, gewartet, steht, stehen, stand, standen, stehend*, herumsteht, herumstehen, gestanden
hunt: lauert, lauern, pirscht
water: giesst, giessen, goss, giessend*, bewässer*, gegossen, blumengiessen, gesprengt, wässert
drink: trinkt, trinken, trank, getrunken, trinkend*
eat: isst, essen, frisst, fressen, gefressen, gegessen, fressend*, futter*
sleep: schläft, schlafen, schlief, schliefen, geschlafen, schlafend*, liegt, liegen, lag, gelegen, liegend*, nickerchen, schlummert, döst, dösen, eingeschlafen, ruht, ausruht, ausruhen, schläft ... ein, ruht ... aus
sit: sitzt, sitzen, sass, sassen, gesessen, sitzend*, setzt, hockt, hocken
hammer: hämmert*, hämmern, hämmernd*, hammer, gehämmert
repair: repariert*, reparieren, werkelt, werkeln, bastelt, basteln, baut, bauen, gebaut, gebastelt, heimwerk*
stroke: streichel*, gestreichelt, krault, kraulen, kuschelt, kuscheln
carry: trägt, tragen, trug, trugen, getragen, tragend*, hält in der hand, schleppt, schleppen
bring: bringt, bringen, brachte, brachten, gebracht
take in: holt herein, nimmt an, annimmt, angenommen, annehmen, nimmt ... an, nimmt ... entgegen, entgegennimmt, holt ... rein, holt ... herein, holt ... ab, hebt ... auf, aufhebt, aufgehoben, abholt, abholen, abgeholt, reinholt, reingeholt, hereinholt, holt, holen, holte, geholt, nimmt ... mit, mitnimmt, mitgenommen, sammelt ein, sammelt ... auf, reinholen
take: nimmt, nehmen, nahm, genommen
steal: stiehlt, stehlen, gestohlen, klaut*, klauen, geklaut, diebstahl, entwendet
open: öffnet, öffnen, öffnete, geöffnet, offen, offene*, geht auf, aufgeht, aufging, aufgegangen, geht ... auf, macht ... auf, aufmacht, aufgemacht, aufmachen
close: schliesst, schliessen, schloss, geschlossen*, geht zu, zugeht, macht ... zu, geht ... zu, zugemacht, zumacht, geschlossene*
unload: lädt aus, ausladen, entlädt, entladen, ausgeladen, auslädt, lädt ... aus, auspackt, packt ... aus, ausgepackt
pull: zieht, ziehen, zog, gezogen, ziehend*
push: schiebt, schieben, schob, geschoben
throw: wirft, werfen, warf, geworfen
sweep: fegt, fegen, kehrt, kehren
digs: gräbt, graben, gräbt, gegraben, buddelt, buddeln, gebuddelt, buddelte
mows: mäht, mähen, gemäht, rasenmähen, rasenmäher
gardening: gartenarbeit*, gärtnern, gärtnert, gejätet, jätet
meet: trifft, treffen, traf, getroffen, begegnet, begegnen
shake: schüttelt, schütteln
falls: fällt, fallen, gefallen, stürzt
dark: dunkle, dunkler, dunkles, dunklen, dunklem
light: licht, lichter, leuchtet, leuchten, beleuchtet, angeleuchtet
hides: versteckt*, verstecken
reads: liest, lesen, las, gelesen
clean: putzt, putzen, geputzt, säubert, wäscht
blossom: blühend*, blüht
striped: gestreift*
long: lange, langen, langem, langer, langes
tied: angebunden*, angekettet*
night: nacht, nachts, nächte, nächtlich*, nächtens, dunkel, dunkelheit, im dunkeln, im dunklen, finster*, finsternis, bei nacht, infrarot
dusk: dämmerung, abenddämmerung, abend, abends, abendlich*, sonnenuntergang, bei dämmerung
day: tagsüber, bei tag, bei tageslicht, tageslicht, tag, tags, am helllichten tag, helllichten tag, am tag, hellichten tag
blue: hellblau*, dunkelblau*
green: hellgrün*, dunkelgrün*
grey: hellgrau*, dunkelgrau*
red: rot, rote, roter, rotes, roten, rotem, dunkelrot*
blue: blau, blaue, blauer, blaues, blauen, blauem
green: grün, grüne, grüner, grünes, grünen, grünem
white: weiss, weisse, weisser, weisses, weissen, weissem
black: schwarz*
grey: grau, graue, grauer, graues, grauen, grauem
brown: braun, braune, brauner, braunes, braunen, braunem
beige: beige*
orange: orange*, orangefarben*
ginger: rothaarig*, rotgetigert*, rötlich*
pink: rosa*, pink, pinke, pinker, pinkes, pinken
purple: lila, violett*
silver: silber*, silbern*
gold: golden*, goldfarben*
yellow: gelb, gelbe, gelber, gelbes, gelben, gelbem
neon yellow: neongelb*, neonfarben*, warnweste*
pale: hell, helle, heller, helles, hellen, hellem, blass*
front door: haustür*, eingangstür*, wohnungstür, tür, türen, eingang, eingangs, hauseingang*, eingangsbereich, türschwelle, vordertür, vor der tür, an der tür, veranda, vorbau
garden: garten, gartens, gärten, vorgarten, hintergarten
backyard: hinterhof, hof, innenhof
lawn: rasen, wiese, gras
terrace: terrasse*
balcony: balkon*
driveway: einfahrt*, auffahrt*, zufahrt*, hofeinfahrt, garageneinfahrt, garagenzufahrt
street: strasse*, fahrbahn
living room: wohnzimmer*, stube, wohnraum
kitchen: küche*
bedroom: schlafzimmer*
hallway: flur*, diele, korridor, hausflur, gang
bathroom: badezimmer, bad
nursery: kinderzimmer*, babyzimmer
basement: keller*
attic: dachboden, speicher
office: büro*, arbeitszimmer
dining room: esszimmer
shed: schuppen, gartenhaus*, geräteschuppen
pool: pool, schwimmbecken, swimmingpool
roof: dach
workshop: werkstatt
garage: garage, garagen
house: haus, hauses, gebäude
front of the house: vor dem haus, vorm haus
back of the house: hinter dem haus, hinterm haus
outside: draussen, ausserhalb, im freien, aussen, rund ums haus, ums haus
inside: drinnen, im haus, innen, im inneren, innerhalb, ins haus, in der wohnung, im hause
upstairs: oben, obergeschoss, im ersten stock, obere stockwerk
downstairs: unten, erdgeschoss
nobody: niemand, niemanden, niemandem, keiner, kein mensch, keine person, keine menschenseele, keine leute
without: ohne, ausser, abgesehen von
not: nicht, kein, keine, keinen, keinem, keines, keins, nie, niemals, aber nicht, ausgenommen
not/not: weder ... noch ...
or: oder, bzw, beziehungsweise
: oder nicht, oder so, von zu hause, zu hause, kleidung, klamotten, gekleidet*, angezogen, bekleidet*
: der, die, das, den, dem, des, dessen, deren, denen, ein, eine, einen, einem, einer, eines, und, sowie, mit, in, im, an, am, auf, bei, beim, vor, zu, zum, zur, von, vom, aus, nach, über, unter, durch, gegen, um, neben, zwischen, hinter, entlang, für, bis, seit, ab, pro, statt, wegen, während, ums, übers, durchs, fürs, ins, ans, aufs, unterm, überm, vorm, dass, ob, weil, als, wenn, nachdem, bevor, damit, wobei, wo, woher, wohin, wann, was, wie, warum, welche*, wieviel, viel, viele, vielen, entweder
: es, er, sie, ihn, ihm, ihr, ihnen, ich, du, wir, uns, mich, mir, dich, dir, euch, sich, sein, seine, seinen, seinem, seiner, ihre, ihren, ihrem, ihrer, unser, unsere, unserem, unseren, unserer, mein, meine, meinen, meinem, meiner, dein, deine, euer, eure, dies*, jene*, jede*, alle, allen, alles, einige*, manche*, etwas, irgend*, da, dort, hier, dabei, davor, dahinter, drauf, darauf, daran, draus, dran, drin, darin, davon, dazu
: ist, sind, war, waren, gewesen, bin, wird, werden, wurde, wurden, worden, hat, haben, hatte, hatten, habe, kann, können, könnte, konnte, soll, muss, will, wollte, möchte, lässt sich, gibt, gab, gibts, macht, machen, machte, gemacht, tut, kommt, kommen, kam, kamen, gekommen, kommend*, passiert, geschah, geschieht, los, sieht, sehen, sah, gesehen, siehst, hört, hören, gehört, höre, tauch*, aufgetaucht, befindet, zeig, zeige, zeigt, zeigen, such, suche, sucht, suchen, finde, finden, gefunden, bitte
: video, videos, clip, clips, kamera, kameras, aufnahme, aufnahmen, aufzeichnung*, bild, bilder, film, gerade, noch, auch, mal, schon, oben auf, versuch*, eingeschaltet, angeschaltet, brennt, geschehen, denn, doch, nur, sehr, ganz, immer, wieder, oft, zuerst, zuletzt, dann, danach, so, eben, jetzt, mitten, plötzlich, bald, fast, vielleicht, überhaupt, eigentlich, gemeinsam, zusammen, allein, alleine, hin, her, herum, rum, weg, zurück, runter, hoch, rauf, hinauf, hinunter, herunter, entgegen, gegenüber, laut*, langsam, schnell*, gross, grosse*, klein, kleine*, junger, junges, alt, alte*, älter*, neu, neue*, schön*, süss*, lustig*, ersten, erste, letzte*, mal
`
