package payload

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// account is the author of a post, with all that is said of one each time.
func account(m maker) obj {
	name := m.person()
	id := m.wide(100_000, 2_000_000_000)
	image := fmt.Sprintf("https://img.example.com/profile_images/%d/%s", id*3, m.mixed(8))
	return obj{"id", id, "id_str", itoa(id), "name", name, "screen_name", login(name) + strconv.Itoa(m.IntN(99)), "location", pick(m, append(places, "", "")...), "description", m.text(2), "url", nil,
		"entities", obj{"description", obj{"urls", list{}}}, "protected", false, "followers_count", m.long(90_000), "friends_count", m.long(3000), "listed_count", m.long(300), "created_at", m.moment(900).Format(time.RubyDate), "favourites_count", m.long(9000), "utc_offset", pick[any](m, nil, 3600, 7200), "time_zone", pick[any](m, nil, "Stockholm", "Lisbon"), "geo_enabled", m.chance(0.3), "verified", false, "statuses_count", m.long(90_000), "lang", often(m, "en", "sv", "de"),
		"contributors_enabled", false, "is_translator", false, "is_translation_enabled", false, "profile_background_color", strings.ToUpper(m.hex(6)), "profile_background_image_url", "http://img.example.com/images/themes/theme1/bg.png", "profile_background_image_url_https", "https://img.example.com/images/themes/theme1/bg.png", "profile_background_tile", m.chance(0.2), "profile_image_url", strings.Replace(image, "https", "http", 1) + "_normal.jpeg", "profile_image_url_https", image + "_normal.jpeg",
		"profile_link_color", strings.ToUpper(m.hex(6)), "profile_text_color", "333333", "profile_use_background_image", true, "default_profile", m.chance(0.4), "default_profile_image", false, "following", false, "follow_request_sent", false, "notifications", false}
}

func post(m maker, depth int) obj {
	id := 505_874_000_000_000_000 + m.Int64N(900_000_000_000)
	text := m.text(2)
	tags, mentions, links := list{}, list{}, list{}
	if m.chance(0.3) {
		tags = append(tags, obj{"text", pick(m, nouns...), "indices", list{m.IntN(20), m.between(21, 40)}})
	}
	if m.chance(0.4) {
		name, to := m.person(), m.between(100_000, 2_000_000_000)
		mentions = append(mentions, obj{"screen_name", login(name), "name", name, "id", to, "id_str", strconv.Itoa(to), "indices", list{0, 1 + len(login(name))}})
	}
	if m.chance(0.3) {
		short := "http://s.example.com/" + m.mixed(10)
		links = append(links, obj{"url", short, "expanded_url", "http://www.example.org/" + pick(m, nouns...) + "/" + m.mixed(6), "display_url", "example.org/…", "indices", list{40, 62}})
	}
	o := obj{"metadata", obj{"result_type", "recent", "iso_language_code", "en"}, "created_at", m.moment(1).Format(time.RubyDate), "id", id, "id_str", itoa(id), "text", text, "source", `<a href="http://posts.example.com/download/` + often(m, "phone", "web", "pad") + `" rel="nofollow">Posts</a>`, "truncated", false,
		"in_reply_to_status_id", nil, "in_reply_to_status_id_str", nil, "in_reply_to_user_id", nil, "in_reply_to_screen_name", nil, "user", account(m), "geo", nil, "coordinates", nil, "place", nil, "contributors", nil}
	if depth == 0 && m.chance(0.4) {
		o = append(o, "retweeted_status", post(m, 1))
	}
	entities := obj{"hashtags", tags, "symbols", list{}, "urls", links, "user_mentions", mentions}
	if m.chance(0.2) {
		media := m.between(1e8, 9e8)
		size := func(w, h int, resize string) obj { return obj{"w", w, "h", h, "resize", resize} }
		entities = append(entities, "media", list{obj{"id", media, "id_str", strconv.Itoa(media), "indices", list{60, 82}, "media_url", "http://img.example.com/media/" + m.mixed(15) + ".jpg", "type", "photo", "sizes", obj{"medium", size(600, 399, "fit"), "small", size(340, 226, "fit"), "thumb", size(150, 150, "crop"), "large", size(1024, 682, "fit")}}})
	}
	return append(o, "retweet_count", m.long(900), "favorite_count", m.long(300), "entities", entities, "favorited", false, "retweeted", false, "possibly_sensitive", false, "lang", "en")
}

func posts(m maker) any {
	return obj{"statuses", rows(14, func(int) any { return post(m, 0) }), "search_metadata", obj{"completed_in", decimal("0.087"), "max_id", int64(505_874_924_095_815_681), "max_id_str", "505874924095815681", "next_results", "?max_id=505874847260352512&q=quay&count=100&include_entities=1", "query", "quay", "count", 100, "since_id", 0, "since_id_str", "0"}}
}

// eventCatalogue maps ids to names and lists performances with prices.
func eventCatalogue(m maker) any {
	ids := func(n, from int) list { return rows(n, func(i int) any { return from + i*3 }) }
	areaIDs, categoryIDs, eventIDs := ids(17, 205_705_993), ids(12, 338_937_235), ids(40, 138_586_341)
	text := func(n any) string { return strconv.Itoa(n.(int)) }
	var areaNames, categories, events obj
	for _, id := range areaIDs {
		areaNames = append(areaNames, text(id), pick(m, "Balcony", "Stalls", "Gallery", "Box", "Circle")+" "+strconv.Itoa(m.IntN(30)))
	}
	for _, id := range categoryIDs {
		categories = append(categories, text(id), "Category "+strconv.Itoa(m.IntN(9)))
	}
	for _, id := range eventIDs {
		var logo any
		if m.chance(0.4) {
			logo = "/images/UE0AAAAACEKo6QAAAAZDSVRN"
		}
		events = append(events, text(id), obj{"description", nil, "id", id, "logo", logo, "name", m.title(), "subTopicIds", list{337_184_269, 337_184_283}, "subjectCode", nil, "subtitle", nil, "topicIds", list{324_846_099, 107_888_604}})
	}
	return obj{"areaNames", areaNames, "audienceSubCategoryNames", obj{"337100890", "Abonné"}, "blockNames", obj{}, "events", events, "performances", rows(30, func(i int) any {
		return obj{"eventId", eventIDs[i], "id", 339_887_544 + i, "logo", nil, "name", nil,
			"prices", rows(m.between(1, 4), func(j int) any {
				return obj{"amount", 9000 + 1000*m.IntN(90), "audienceSubCategoryId", 337_100_890, "seatCategoryId", 338_937_295 + j}
			}),
			"seatCategories", rows(m.between(3, 7), func(j int) any {
				return obj{"areas", rows(m.between(2, 11), func(int) any { return obj{"areaId", pick(m, areaIDs...), "blockIds", list{}} }), "seatCategoryId", 338_937_295 + j}
			}), "seatMapImage", nil, "start", 1_372_701_600_000 + int64(i)*86_400_000, "venueCode", "PLEYEL_PLEYEL"}
	}), "seatCategoryNames", categories, "subjectNames", obj{}, "venueNames", obj{"PLEYEL_PLEYEL", "Salle Pleyel"}}
}

func builds(m maker) any {
	return obj{"assignedLabels", list{obj{}}, "mode", "EXCLUSIVE", "nodeDescription", "the main node", "nodeName", "", "numExecutors", 0, "description", nil, "jobs", rows(90, func(int) any {
		name := upper(pick(m, nouns...)) + "-" + pick(m, areas...) + "-" + pick(m, "trunk", "1.x", "nightly", "pull-request")
		return obj{"name", name, "url", "https://builds.example.org/job/" + name + "/", "color", often(m, "blue", "red", "yellow", "disabled", "notbuilt")}
	}), "overallLoad", obj{}, "primaryView", obj{"name", "All", "url", "https://builds.example.org/"}, "quietingDown", false, "slaveAgentPort", 0, "unlabeledLoad", obj{}, "useCrumbs", true, "useSecurity", true}
}

// tracker is a module of a music tracker: wide objects of numbers.
func tracker(m maker) any {
	envelope := func() obj {
		return obj{"data", rows(m.between(0, 4), func(i int) any { return obj{"tick", i * 8, "value", m.IntN(65)} }), "flags", m.IntN(3), "loopEnd", 0, "loopStart", 0, "release", 255, "sustainEnd", 0, "sustainStart", 0}
	}
	return obj{"graphstate", list{}, "instruments", rows(18, func(i int) any {
		return obj{"default_filter_cutoff", 0, "default_filter_cutoff_enabled", false, "default_filter_mode", 255, "default_filter_resonance", 0, "default_filter_resonance_enabled", false, "default_pan", 128 + m.IntN(2)*64, "duplicate_check_type", 0, "duplicate_note_action", 0, "fadeout", pick(m, 0, 1024, 4096), "global_volume", 64, "graph_insert", 0, "legacy_filename", "",
			"midi_bank", 0, "midi_channel", 0, "midi_drum_set", 0, "midi_program", 0, "name", pick(m, "", products[m.IntN(len(products))]), "new_note_action", 0, "note_map", nil, "panning_envelope", envelope(), "pitch_envelope", envelope(), "pitch_pan_center", 60, "pitch_pan_separation", 0, "pitch_to_tempo_lock", 0, "random_cutoff_weight", 0, "random_pan_weight", 0, "random_resonance_weight", 0, "random_volume_weight", 0, "sample_map", nil, "tuning", nil, "volume_envelope", envelope(), "volume_ramp_down", 0, "volume_ramp_up", 0}
	}), "message", "", "name", "quay", "orderlist", rows(30, func(int) any { return m.IntN(24) }), "pluginstate", list{}, "samples", rows(18, func(i int) any {
		return obj{"c5_samplerate", pick(m, 8363, 22050, 44100), "global_volume", 64, "legacy_filename", "", "length", m.long(90_000), "loop_end", m.long(9000), "loop_start", 0, "name", pick(m, "", products[m.IntN(len(products))]), "pan", 128, "sustain_end", 0, "sustain_start", 0, "vibrato_depth", 0, "vibrato_rate", 0, "vibrato_sweep", 0, "vibrato_type", 0, "volume", m.between(100, 256)}
	}), "version", 2}
}

// pluginCatalogue is an object of plug-ins by their names.
func pluginCatalogue(m maker) any {
	var plugins obj
	for i := range 26 {
		name := pick(m, areas...) + "-" + pick(m, nouns...) + "-" + strconv.Itoa(i)
		version := fmt.Sprintf("%d.%d", m.between(1, 4), m.IntN(60))
		p := obj{"buildDate", m.moment(300).Format("Jan 02, 2006"), "dependencies", rows(m.IntN(3), func(int) any {
			return obj{"name", pick(m, areas...) + "-" + pick(m, nouns...), "optional", m.chance(0.4), "version", fmt.Sprintf("1.%d", m.IntN(40))}
		}), "developers", rows(m.between(1, 2), func(int) any {
			person := m.person()
			d := obj{"developerId", login(person), "name", person}
			if m.chance(0.5) {
				d = append(d, "email", login(person)+"@mail.example.org")
			}
			return d
		}), "excerpt", m.text(2), "gav", "org.example.plugins:" + name + ":" + version, "labels", several(m, 2, "report", "builder", "scm", "ui", "notifier"), "name", name}
		if m.chance(0.6) {
			p = append(p, "previousTimestamp", millis(m.moment(100)), "previousVersion", "1.0")
		}
		p = append(p, "releaseTimestamp", millis(m.moment(300)), "requiredCore", fmt.Sprintf("1.%d", m.between(400, 620)))
		if m.chance(0.4) {
			p = append(p, "scm", "git.example.org")
		}
		plugins = append(plugins, name, append(p, "sha1", m.mixed(27)+"=", "title", upper(name)+" Plugin", "url", "http://updates.example.org/download/plugins/"+name+"/"+version+"/"+name+".hpi", "version", version, "wiki", "https://wiki.example.org/display/PLUGINS/"+upper(name)+"+Plugin"))
	}
	return obj{"connectionCheckUrl", "http://www.example.org/", "core", obj{"buildDate", "Jul 02, 2026", "name", "core", "url", "http://updates.example.org/download/war/1.519/core.war", "version", "1.519"}, "id", "default", "plugins", plugins, "updateCenterVersion", 1}
}

// providerSchemas describes the resources of a provider, as terraform prints
// them: sparse objects by name.
func providerSchemas(m maker) any {
	attribute := func() obj {
		kind := pick[any](m, "string", "string", "bool", "number", list{"list", "string"}, list{"map", "string"})
		a := obj{"type", kind}
		if m.chance(0.3) {
			a = append(a, "description", m.title())
		}
		a = append(a, "description_kind", "plain")
		switch m.IntN(3) {
		case 0:
			return append(a, "required", true)
		case 1:
			return append(a, "optional", true)
		}
		return append(a, "computed", true)
	}
	var resources obj
	for i := range 14 {
		block := obj{"attributes", fields(m, m.between(5, 14), func() any { return attribute() })}
		if m.chance(0.4) {
			block = append(block, "block_types", obj{"timeouts", obj{"nesting_mode", "single", "block", obj{"attributes", fields(m, 3, func() any { return attribute() }), "description_kind", "plain"}}})
		}
		resources = append(resources, "quay_"+pick(m, nouns...)+strconv.Itoa(i), obj{"version", m.IntN(2), "block", append(block, "description_kind", "plain")})
	}
	return obj{"format_version", "1.0", "provider_schemas", obj{"registry.example.com/harbour/quay", obj{"provider", obj{"version", 0, "block", obj{"attributes", fields(m, 6, func() any { return attribute() }), "description_kind", "plain"}}, "resource_schemas", resources}}}
}

func functions(m maker) any {
	var o obj
	for i := range 40 {
		parameter := func() obj {
			p := obj{"name", pick(m, "string", "list", "map", "value", "pattern", "start", "end")}
			if m.chance(0.3) {
				p = append(p, "description", m.title())
			}
			if m.chance(0.2) {
				p = append(p, "is_nullable", true)
			}
			return append(p, "type", pick[any](m, "string", "number", "dynamic", list{"list", "string"}, list{"set", "dynamic"}))
		}
		f := obj{"description", m.text(2), "return_type", pick[any](m, "string", "number", "bool", "dynamic", list{"list", "string"})}
		if m.chance(0.9) {
			f = append(f, "parameters", rows(m.between(1, 3), func(int) any { return parameter() }))
		}
		if m.chance(0.2) {
			f = append(f, "variadic_parameter", parameter())
		}
		o = append(o, pick(m, verbs...)+"_"+pick(m, nouns...)+strconv.Itoa(i), f)
	}
	return obj{"format_version", "1.0", "function_signatures", o}
}

func directions(m maker) any {
	point := func() obj { return obj{"lat", m.real(55, 63, 7), "lng", m.real(10, 18, 7)} }
	measure := func(unit string, high int) obj {
		n := m.long(high)
		return obj{"text", strconv.Itoa(n/100) + " " + unit, "value", n}
	}
	step := func() obj {
		s := obj{"distance", measure("km", 90_000), "duration", measure("mins", 9000), "end_location", point(), "html_instructions", "Turn <b>" + pick(m, "left", "right") + "</b> onto <b>" + upper(pick(m, nouns...)) + " street</b>"}
		if m.chance(0.6) {
			s = append(s, "maneuver", pick(m, "turn-left", "turn-right", "merge", "ramp-right"))
		}
		return append(s, "polyline", obj{"points", m.mixed(m.between(10, 60))}, "start_location", point(), "travel_mode", "DRIVING")
	}
	return obj{"geocoded_waypoints", rows(2, func(int) any {
		return obj{"geocoder_status", "OK", "place_id", "ChIJ" + m.mixed(23), "types", list{"locality", "political"}}
	}), "routes", rows(2, func(int) any {
		return obj{"bounds", obj{"northeast", point(), "southwest", point()}, "copyrights", "Map data ©2026", "legs", list{obj{"distance", measure("km", 90_000), "duration", measure("mins", 90_000), "end_address", pick(m, places...), "end_location", point(), "start_address", pick(m, places...), "start_location", point(), "steps", rows(14, func(int) any { return step() }), "traffic_speed_entry", list{}, "via_waypoint", list{}}}, "overview_polyline", obj{"points", m.mixed(200)}, "summary", "E" + strconv.Itoa(m.IntN(20)), "warnings", list{}, "waypoint_order", list{}}
	}), "status", "OK"}
}

// webhook is what code hosting sends when something happens.
func webhook(m maker) any {
	repos := repositories(m).(obj)[5].(list)
	issues := hostedIssues(m).(list)
	return rows(4, func(i int) any {
		sender := user(m, m.person())
		return obj{"action", often(m, "edited", "labeled", "opened"), "issue", issues[i], "changes", obj{}, "repository", repos[i], "sender", sender, "installation", obj{"id", 2311213, "node_id", "MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9uMjMxMTIxMw=="}}
	})
}

// people are records of the kind that test services make up.
func people(m maker) any {
	return rows(30, func(i int) any {
		name := m.person()
		first, last, _ := strings.Cut(name, " ")
		return obj{"_id", m.hex(24), "index", i, "guid", m.uuid(), "isActive", m.chance(0.5), "balance", fmt.Sprintf("$%d,%03d.%02d", m.between(1, 4), m.IntN(999), m.IntN(99)), "picture", "http://placehold.example/32x32", "age", m.between(20, 40), "eyeColor", pick(m, "blue", "brown", "green"), "name", obj{"first", first, "last", last}, "company", strings.ToUpper(pick(m, nouns...)), "email", login(name) + "@example.org", "phone", fmt.Sprintf("+1 (%d) %d-%d", m.between(800, 999), m.between(400, 600), m.between(2000, 4000)),
			"address", fmt.Sprintf("%d %s Street, %s, %d", m.between(100, 999), upper(pick(m, nouns...)), pick(m, places...), m.between(100, 9999)), "about", m.text(2), "registered", m.moment(900).Format("Monday, January 2, 2006 3:04 PM"), "latitude", m.real(-80, 80, 6), "longitude", m.real(-170, 170, 6), "tags", several(m, 4, nouns[:9]...), "range", rows(10, func(i int) any { return i }), "friends", rows(3, func(i int) any { return obj{"id", i, "name", m.person()} }), "greeting", "Hello, " + first + "! You have " + strconv.Itoa(m.IntN(10)) + " unread messages.", "favoriteFruit", pick(m, "apple", "banana", "strawberry")}
	})
}
