// Choosing: the same rules as accelbench.decide.answer, applied to the rows below, and what the page shows of them.
const DATA = JSON.parse(document.getElementById("choices").textContent);
const [NO_VERDICT, FIRST, UNDETERMINED, SLOWER, IMPLAUSIBLE] = [0, 1, 2, 3, 4], EASY = 1.25, SURE_WITHIN = 1.1, UNSURE_BEYOND = 1.5, KNOWN = ["numpy", "python"], NBSP = "\u00a0";
const word = (place) => DATA.strings[place];
// As text, since a quotient may differ from the number that was rounded by its last bit.
const inSeconds = (cells) => cells.slice(0, 3).map((nanoseconds) => (nanoseconds === null ? null : Number(`${nanoseconds}e-9`)));
const unpackTime = (cells) => {
  const [seconds, low, high] = inSeconds(cells), [standing, sure, flags, repetitions, speedup, ofPeak, nextLow, nextHigh, parameters, clocks, strip] = cells.slice(3);
  return { seconds, low, high, standing, sure, flags, repetitions, speedup, ofPeak, next: [nextLow, nextHigh], parameters: word(parameters), clocks: word(clocks), strip };
};
const unpackReported = (cells) => {
  const [seconds, low, high] = inSeconds(cells);
  return { seconds, low, high, speedup: cells[3] };
};
const byPlace = (times, unpackOne) => {
  const [resident, pageable, pinned] = times.map((cells) => (typeof cells === "number" ? times[cells] : cells)).map((cells) => cells && unpackOne(cells));
  return { resident, pageable, pinned };
};
const unpack = ([name, backend, device, place, bits, lines, startup, times]) => {
  return { name: word(name), backend: word(backend), device: word(device), place: word(place), gpu: !!(bits & 1), baseline: !!(bits & 2), lines, startup, timed: byPlace(times, unpackTime) };
};
for (const problem of DATA.families.flatMap((family) => family.problems)) {
  Object.assign(problem, { candidates: problem.candidates.map(unpack), fastest: byPlace(problem.fastest, unpackReported), on_gpu: byPlace(problem.on_gpu, unpackReported) });
}
const PLACES = Object.keys(DATA.places);
const familyOf = ({ kernel, dtype, options }) => DATA.families.find((f) => f.kernel === kernel && f.dtype === dtype && f.options === options);
const least = (items, key) => items.reduce((best, item) => (best === null || key(item) < key(best) ? item : best), null);

function timedIn(candidate, place, calls) {
  if (place !== "kept") return candidate.timed[place];
  const once = candidate.timed.pinned ?? candidate.timed.pageable, later = candidate.timed.resident;
  if (!once || !later) return null;
  const shared = (first, others) => (first === null || others === null ? null : (first + (calls - 1) * others) / calls);
  return { ...later, seconds: shared(once.seconds, later.seconds), low: shared(once.low, later.low), high: shared(once.high, later.high), next: [null, null],
    standing: [once.standing, later.standing].includes(IMPLAUSIBLE) ? IMPLAUSIBLE : NO_VERDICT, sure: Math.min(once.sure, later.sure), flags: once.flags | later.flags, repetitions: Math.min(once.repetitions, later.repetitions) };
}
const named = (candidate) => (candidate.device ? `${candidate.name} on ${candidate.device}` : candidate.name);
// Where data kept for one call are: they are brought there and back by it.
const asMeasured = (problem, place, calls) => (place !== "kept" || calls !== 1 ? place : problem.candidates.some(({ timed }) => timed.pinned) ? "pinned" : "pageable");
function rank(problem, asked, calls) {
  const place = asMeasured(problem, asked, calls);
  const found = problem.candidates.map((candidate) => ({ candidate, timed: timedIn(candidate, place, calls) })).filter(({ timed }) => timed);
  const key = ({ candidate, timed }) => [timed.standing === IMPLAUSIBLE ? 1 : 0, timed.seconds, candidate.name, candidate.device];
  found.sort((a, b) => {
    const [one, two] = [key(a), key(b)], place = one.findIndex((value, n) => value !== two[n]);
    return place < 0 ? 0 : one[place] < two[place] ? -1 : 1;
  });
  const numpy = found.find(({ candidate }) => candidate.baseline)?.timed.seconds ?? null, best = found[0]?.timed.seconds ?? 0;
  return found.map(({ candidate, timed }) => ({
    candidate, timed, name: named(candidate), seconds: timed.seconds, loss: Math.max(0, timed.seconds - best),
    speedup: place === "kept" ? numpy && numpy / timed.seconds : timed.speedup,
    all: candidate.startup === null ? null : candidate.startup + calls * timed.seconds,
  }));
}
function leading(ranking) {
  const believed = ranking.filter(({ timed }) => timed.standing !== IMPLAUSIBLE), lowest = believed.find(({ timed }) => timed.standing !== NO_VERDICT);
  if (believed.some(({ timed }) => timed.standing === FIRST)) return believed.filter((choice) => choice.timed.standing === FIRST || choice === lowest);
  if (!believed.length) return [];
  const high = believed[0].timed.high;
  const apart = ({ timed }) => timed.standing === SLOWER || high === null || timed.low === null || timed.low > high;
  const count = believed.findIndex((choice, n) => n > 0 && apart(choice));
  return count < 0 ? believed : believed.slice(0, count);
}
// What is told of those that lead; what one of them takes itself where that is far from it. Of data that are kept it is no
// less than of data that never move.
function firstOf(problem, asked, calls, leaders) {
  const place = asMeasured(problem, asked, calls);
  if (place === "kept") {
    const resident = leading(rank(problem, "resident", calls));
    return putTogether(leaders[0], resident.length ? firstOf(problem, "resident", calls, resident).seconds : 0);
  }
  const told = problem.fastest[place] ?? ownOf(leaders[0]), most = leaders.reduce((one, two) => (two.seconds > one.seconds ? two : one));
  if (told.seconds > SURE_WITHIN * most.seconds) return ownOf(most);
  return told.seconds * SURE_WITHIN < leaders[0].seconds ? ownOf(leaders[0]) : told;
}
// What is told of the fastest on a GPU; its own time where that was put together of two.
const onGpu = ({ on_gpu: found }, place, own) => found[place] ?? putTogether(own, found.resident?.seconds ?? 0);
const ownOf = ({ seconds, speedup, timed: { low, high } }) => ({ seconds, low, high, speedup });
function putTogether(own, leastSeconds) {
  const seconds = Math.max(own.seconds, leastSeconds), by = seconds / own.seconds, times = (end) => end && end * by;
  return { seconds, low: times(own.timed.low), high: times(own.timed.high), speedup: own.speedup && own.speedup / by };
}
const hasRivals = (problem) => problem.candidates.some((c) => !c.gpu && !c.device && !KNOWN.includes(c.backend));
const hasBaseline = (problem) => problem.candidates.some((c) => c.baseline);
function usual(family) {
  const timed = family.problems.filter((problem) => problem.candidates.length), rivals = timed.filter(hasRivals);
  return [rivals.filter(hasBaseline), rivals, timed].find((several) => several.length).at(-1);
}
const between = (below, at) => {
  const middle = below ? Math.sqrt(below * at) : at / 2, unit = middle >= 1 ? 10 ** Math.floor(Math.log10(middle)) : 1, size = Math.floor(middle / unit + 0.5) * unit;
  return below < size && size < at ? size : null;
};
function bracketOf(verdicts, sides) {
  const sizes = [...verdicts.keys()].sort((a, b) => a - b), most = sizes.at(-1), faster = sizes.filter((size) => verdicts.get(size));
  if (!sizes.length) return { crossover: null };
  const alone = sizes.length === 1, upTo = sides.some(([each]) => each.size > most || (alone && each.size !== most)) ? most : null;
  const slower = sizes.filter((size) => !verdicts.get(size)), below = slower.length ? Math.max(...slower) : null;
  const at = faster.find((size) => below === null || size > below) ?? null;
  if (!faster.length) return { crossover: "never", upTo, alone };
  if (at === null) return { crossover: "sometimes", upTo };
  return below === null ? { crossover: "always", upTo, alone } : { crossover: "from", below, at, between: between(below, at) };
}
function combinations(items, count) {
  if (count === 0) return [[]];
  return items.flatMap((item, n) => combinations(items.slice(n + 1), count - 1).map((rest) => [item, ...rest]));
}
function portfolios({ place, calls, learn }) {
  const problems = [];
  for (const family of DATA.families.filter(({ kernel }) => !learn.length || learn.includes(kernel))) {
    const best = new Map();
    for (const { candidate: { name, backend, lines }, timed, seconds } of rank(usual(family), place, calls)) {
      if (timed.standing !== IMPLAUSIBLE && !best.has(backend)) best.set(backend, { kernel: family.kernel, name, seconds, lines: lines ?? 0 });
    }
    if (best.size) problems.push(best);
  }
  const others = [...new Set(problems.flatMap((own) => [...own.keys()]))].filter((name) => !KNOWN.includes(name)).sort(), found = [];
  for (let count = 0; problems.length && count <= Math.min(4, others.length) && !(found.at(-1)?.share >= 0.99); count += 1) {
    let best = null;
    for (const backends of combinations(others, count)) {
      const fastest = problems.map((own) => [...KNOWN, ...backends].filter((name) => own.has(name)).map((name) => own.get(name)).sort((a, b) => a.seconds - b.seconds || a.lines - b.lines)[0]);
      if (!fastest.every(Boolean)) continue;
      const share = Math.exp(sum(problems.map((own, n) => Math.log([...own.values()][0].seconds / fastest[n].seconds))) / problems.length);
      if (best === null || share > best.share + 1e-9) best = { backends, share, fastest, lines: sum(fastest.map(({ lines }) => lines)) };
    }
    if (best && (!found.length || best.share > found.at(-1).share + 1e-9)) found.push(best);
  }
  return found;
}
const sum = (values) => values.reduce((all, value) => all + value, 0), once = (values) => [...new Set(values)].filter(Boolean);
const sourceOf = (kernel, name) => (DATA.sources[kernel] ?? {})[name] ?? DATA.sources[kernel]?.[name.split("@")[0]];
// What must be installed for a portfolio.
function needs({ backends, fastest }) {
  const packages = once(backends.flatMap((name) => (DATA.packages[name] ?? "").split(", "))).filter((name) => !KNOWN.includes(name));
  const compilers = once(fastest.flatMap(({ kernel, name }) => word(sourceOf(kernel, name)?.[2] ?? -1)?.split("; ").map((told) => told.match(/^.+?(?= \(| version | V?\d)/)?.[0])));
  return [packages.length && `pip install ${packages.join(" ")}`, compilers.length && `with ${compilers.join(" and ")}`].filter(Boolean).join(", ");
}
function frontOf(ranking) {
  const found = [], believed = ranking.filter(({ candidate, timed }) => candidate.lines && timed.standing !== IMPLAUSIBLE);
  for (const choice of believed.sort((a, b) => a.candidate.lines - b.candidate.lines)) if (!found.length || choice.seconds < found.at(-1).seconds) found.push(choice);
  return found;
}
const frontWords = (choices) => (choices.length ? `No other has both less code and less time than ${choices.map((c) => `${c.name} (${plural(c.candidate.lines, "line")}, ${seconds(c.seconds)})`).join("; ")}.` : "");
function answer(state) {
  const family = familyOf(state), problem = family.problems.find(({ size }) => size === state.size);
  const ranking = rank(problem, state.place, state.calls), leaders = leading(ranking), best = leaders[0] ?? null;
  const sides = family.problems.map((each) => [each, leading(rank(each, state.place, state.calls))]).filter(([, lead]) => lead.length);
  const easy = best ? ranking.filter((c) => c.candidate.lines && c.seconds <= EASY * best.seconds && c.timed.standing !== IMPLAUSIBLE) : [];
  const gpuAt = PLACES.map((place) => [place, rank(problem, place, state.calls).find((c) => c.candidate.gpu && c.timed.standing !== IMPLAUSIBLE)]).filter(([, choice]) => choice).map(([place, choice]) => [place, onGpu(problem, place, choice)]);
  const cores = [...new Set(problem.candidates.filter((c) => !c.gpu).map((c) => c.backend))].sort();
  const found = {
    state, ranking, leaders, best, first: best && firstOf(problem, state.place, state.calls, leaders),
    numpy: ranking.find(({ candidate }) => candidate.baseline) ?? null,
    least: easy.reduce((one, two) => (one === null || two.candidate.lines < one.candidate.lines || (two.candidate.lines === one.candidate.lines && two.seconds < one.seconds) ? two : one), null),
    front: frontOf(ranking),
    soonest: least(ranking.filter(({ all }) => all !== null), ({ all }) => all),
    gpuPays: bracketOf(new Map(sides.filter(([each]) => hasRivals(each) && each.candidates.some((c) => c.gpu)).map(([each, lead]) => [each.size, lead.every((c) => c.candidate.gpu)])), sides),
    numpyBeaten: bracketOf(new Map(sides.filter(([each]) => hasBaseline(each)).map(([each, lead]) => [each, !lead.some((c) => c.candidate.baseline)]).filter(([each, faster]) => faster || hasRivals(each)).map(([each, faster]) => [each.size, faster])), sides),
    gpuAt, onlyCpu: hasRivals(problem) || !problem.candidates.some((c) => c.gpu) ? "" : cores.join(" and ") || "nothing",
    missing: problem.missing.map(([who, cases, ...told]) => [who.map(word), cases, ...told.map(word)]),
    portfolios: portfolios(state),
  };
  return { ...found, sentences: sentences(found) };
}
const percentOf = (value) => { const whole = Math.floor(100 * value + 0.5); return whole === 100 && value < 1 ? `over 99${NBSP}%` : `${whole}${NBSP}%`; };
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const namesOf = (choices) => {
  const told = choices.slice(0, 3).map(({ name }) => name);
  if (choices.length > 3) return `${told.join(", ")} or ${choices.length - 3} more`;
  return [told.slice(0, -1).join(", "), told.at(-1)].filter(Boolean).join(" or ");
};
const bracketWords = ({ crossover, below, at, between: middle, upTo, alone }, who) => {
  const measured = upTo ? `up to ${size(upTo)}, the largest with both sides measured` : "measured", one = alone && (upTo ? `${size(upTo)}, the one size with both sides measured` : "the one size measured");
  if (crossover === "always") return `${who} pays at ${one || `every size ${measured}`}.`;
  if (crossover === "never") return `${who} does not pay at ${one || `any size ${measured}`}.`;
  if (crossover === "sometimes") return `${who} pays at some sizes ${measured}, not at the largest.`;
  return crossover === "from" ? `${who} pays from a size between ${size(below)} and ${size(at)} on${middle ? ` (not known better: measure ${size(middle)})` : ""}.` : "";
};
function sentences({ state, leaders, best, first, numpy, least: easy, soonest, gpuPays, gpuAt, onlyCpu, missing }) {
  if (!best) return ["Nothing has a time here."];
  const told = [], ties = leaders.some(({ candidate }) => candidate.baseline);
  if (best.candidate.baseline) told.push(`NumPy itself, ${best.name}: ${seconds(first.seconds)} a call. Nothing is proven faster.`);
  else if (ties) told.push(`${namesOf(leaders)}: ${seconds(first.seconds)} a call. None is proven faster than NumPy.`);
  else told.push(`${namesOf(leaders)}: ${seconds(first.seconds)} a call${first.speedup ? `, ${ratio(first.speedup)} as fast as NumPy` : ""}.`);
  if (easy && !(easy === best && leaders.length === 1)) {
    const lines = plural(easy.candidate.lines, "line");
    told.push(leaders.includes(easy) ? `Least code among them: ${easy.name}, ${lines}.` : `Least code within 25${NBSP}%: ${easy.name}, ${lines}, ${seconds(easy.seconds)}.`);
  }
  const why = numpy ? null : missing.find(([who]) => who.some((name) => name.startsWith("numpy_")));
  if (why) told.push(`NumPy has no time here: ${why[2].replaceAll("_", " ")}, ${why[3]}.`);
  if (numpy && !ties && first.speedup > 1) {
    const share = 1 - 1 / first.speedup;
    told.push(`Staying with NumPy costs ${seconds(share * numpy.seconds)} a call, ${percentOf(share)} of its time.`);
  }
  const pays = bracketWords(gpuPays, "The GPU");
  const takes = gpuAt.length ? `; at this size its best takes ${gpuAt.map(([place, found]) => `${seconds(found.seconds)} ${place}`).join(", ")}` : "";
  if (pays) told.push(`${pays.slice(0, -1)}, data ${state.place}${takes}.`);
  if (soonest && !leaders.includes(soonest)) told.push(`With starting up, ${plural(state.calls, "call")} ${state.calls === 1 ? "is" : "are"} done first by ${soonest.name}: ${seconds(soonest.all)} in all.`);
  if (onlyCpu) told.push(`Nothing but ${onlyCpu} was measured on the cores at this size, so whether the GPU pays is not known (python -m accelbench run --kernel ${state.kernel} --size ${state.size} --backend cffi --backend numba).`);
  return told;
}
// An answer as accelbench.decide.embed.told gives it: a test holds the two against each other.
function told(found) {
  const name = (choice) => (choice ? choice.name : null), show = (value, how) => (value === null ? "–" : how(value));
  return {
    sentences: found.sentences,
    ranking: found.ranking.map(({ name: who, timed, ...c }) => [who, seconds(c.seconds), timed.low === null ? "" : interval([timed.low, timed.high], seconds), show(c.speedup, ratio), show(c.all, seconds), seconds(c.loss), timed.standing, timed.sure, timed.flags, show(timed.ofPeak, percentOf)]),
    leaders: found.leaders.map(name), numpy: name(found.numpy), least: name(found.least), front: frontWords(found.front), soonest: name(found.soonest),
    gpu_pays: bracketWords(found.gpuPays, "The GPU"), numpy_beaten: bracketWords(found.numpyBeaten, "Leaving NumPy"),
    missing: found.missing, portfolios: found.portfolios.map((one) => [one.backends, percentOf(one.share), one.lines, needs(one), one.fastest.map(({ kernel, name }) => [kernel, name])]),
  };
}
