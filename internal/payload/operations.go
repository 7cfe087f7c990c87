package payload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

var services = strings.Fields("web api worker mailer search billing catalog ledger session gateway")

func pods(m maker) any {
	return obj{"kind", "PodList", "apiVersion", "v1", "metadata", obj{"resourceVersion", "48201733"}, "items", rows(14, func(i int) any {
		app := pick(m, services...)
		hash := m.lower(10)
		name := app + "-" + hash + "-" + m.lower(5)
		at := zero.Add(time.Duration(m.long(400_000)) * time.Second)
		image := "registry.example.com/shop/" + app + ":1." + strconv.Itoa(m.IntN(30)) + ".0"
		node := "node-" + strconv.Itoa(m.IntN(6)) + ".eu-north-1.example.internal"
		probe := func(path string) obj {
			return obj{"httpGet", obj{"path", path, "port", 8080, "scheme", "HTTP"}, "timeoutSeconds", 1, "periodSeconds", 10, "successThreshold", 1, "failureThreshold", 3}
		}
		condition := func(kind string) obj {
			return obj{"type", kind, "status", "True", "lastProbeTime", nil, "lastTransitionTime", stamp(at.Add(time.Duration(m.IntN(9)) * time.Second))}
		}
		volume := "kube-api-access-" + m.lower(5)
		env := list{obj{"name", "REGION", "value", "eu-north-1"}, obj{"name", "LOG_LEVEL", "value", often(m, "info", "debug")},
			obj{"name", "DATABASE_URL", "valueFrom", obj{"secretKeyRef", obj{"name", app + "-database", "key", "url"}}},
			obj{"name", "POD_NAME", "valueFrom", obj{"fieldRef", obj{"apiVersion", "v1", "fieldPath", "metadata.name"}}}}
		ip := m.address()
		return obj{
			"metadata", obj{"name", name, "generateName", app + "-" + hash + "-", "namespace", often(m, "shop", "shop", "default"), "uid", m.uuid(), "resourceVersion", strconv.Itoa(48_000_000 + m.IntN(200_000)), "creationTimestamp", stamp(at),
				"labels", obj{"app", app, "pod-template-hash", hash}, "annotations", obj{"prometheus.io/scrape", "true", "prometheus.io/port", "9090"},
				"ownerReferences", list{obj{"apiVersion", "apps/v1", "kind", "ReplicaSet", "name", app + "-" + hash, "uid", m.uuid(), "controller", true, "blockOwnerDeletion", true}}},
			"spec", obj{"volumes", list{obj{"name", volume, "projected", obj{"sources", list{obj{"serviceAccountToken", obj{"expirationSeconds", 3607, "path", "token"}}, obj{"configMap", obj{"name", "kube-root-ca.crt", "items", list{obj{"key", "ca.crt", "path", "ca.crt"}}}}}, "defaultMode", 420}}},
				"containers", list{obj{"name", app, "image", image, "ports", list{obj{"name", "http", "containerPort", 8080, "protocol", "TCP"}}, "env", env[:m.between(1, 4)],
					"resources", obj{"limits", obj{"cpu", pick(m, "1", "500m", "2"), "memory", pick(m, "512Mi", "1Gi", "256Mi")}, "requests", obj{"cpu", pick(m, "100m", "250m"), "memory", pick(m, "128Mi", "256Mi")}},
					"volumeMounts", list{obj{"name", volume, "readOnly", true, "mountPath", "/var/run/secrets/kubernetes.io/serviceaccount"}},
					"livenessProbe", probe("/healthz"), "readinessProbe", probe("/ready"), "terminationMessagePath", "/dev/termination-log", "terminationMessagePolicy", "File", "imagePullPolicy", "IfNotPresent"}},
				"restartPolicy", "Always", "terminationGracePeriodSeconds", 30, "dnsPolicy", "ClusterFirst", "serviceAccountName", app, "serviceAccount", app, "nodeName", node, "securityContext", obj{}, "schedulerName", "default-scheduler",
				"tolerations", list{obj{"key", "node.kubernetes.io/not-ready", "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", 300}, obj{"key", "node.kubernetes.io/unreachable", "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", 300}}, "priority", 0, "enableServiceLinks", true, "preemptionPolicy", "PreemptLowerPriority"},
			"status", obj{"phase", "Running", "conditions", list{condition("Initialized"), condition("Ready"), condition("ContainersReady"), condition("PodScheduled")}, "hostIP", m.address(), "podIP", ip, "podIPs", list{obj{"ip", ip}}, "startTime", stamp(at),
				"containerStatuses", list{obj{"name", app, "state", obj{"running", obj{"startedAt", stamp(at.Add(3 * time.Second))}}, "lastState", obj{}, "ready", true, "restartCount", m.long(6), "image", image,
					"imageID", "registry.example.com/shop/" + app + "@sha256:" + m.hex(64), "containerID", "containerd://" + m.hex(64), "started", true}}, "qosClass", "Burstable"},
		}
	})}
}

func clusterEvents(m maker) any {
	return obj{"kind", "EventList", "apiVersion", "v1", "items", rows(45, func(i int) any {
		app := pick(m, services...)
		pod := app + "-" + m.lower(10) + "-" + m.lower(5)
		at := m.moment(0.1)
		reason, message, kind := "Pulled", `Container image "registry.example.com/shop/`+app+`:1.4.0" already present on machine`, "Normal"
		switch m.IntN(6) {
		case 0:
			reason, message = "Scheduled", "Successfully assigned shop/"+pod+" to node-"+strconv.Itoa(m.IntN(6))
		case 1:
			reason, message, kind = "Unhealthy", fmt.Sprintf("Readiness probe failed: Get \"http://%s:8080/ready\": context deadline exceeded", m.address()), "Warning"
		case 2:
			reason, message, kind = "BackOff", "Back-off restarting failed container "+app+" in pod "+pod, "Warning"
		case 3:
			reason, message = "Started", "Started container "+app
		}
		return obj{"metadata", obj{"name", pod + "." + m.hex(16), "namespace", "shop", "uid", m.uuid(), "resourceVersion", strconv.Itoa(48_000_000 + i*17), "creationTimestamp", stamp(at)},
			"involvedObject", obj{"kind", "Pod", "namespace", "shop", "name", pod, "uid", m.uuid(), "apiVersion", "v1", "fieldPath", "spec.containers{" + app + "}"},
			"reason", reason, "message", message, "source", obj{"component", "kubelet", "host", "node-" + strconv.Itoa(m.IntN(6))}, "firstTimestamp", stamp(at), "lastTimestamp", stamp(at.Add(time.Duration(m.long(3000)) * time.Second)), "count", 1 + m.long(40), "type", kind}
	})}
}

func containers(m maker) any {
	return rows(5, func(i int) any {
		id, image := m.hex(64), m.hex(64)
		app := services[i]
		at := m.moment(3)
		ip := fmt.Sprintf("172.18.0.%d", 2+i)
		return obj{"Id", id, "Created", nanos(at), "Path", "/usr/bin/" + app, "Args", list{"--listen", ":8080"},
			"State", obj{"Status", "running", "Running", true, "Paused", false, "Restarting", false, "OOMKilled", false, "Dead", false, "Pid", m.long(40_000), "ExitCode", 0, "Error", "", "StartedAt", nanos(at.Add(time.Second)), "FinishedAt", "0001-01-01T00:00:00Z"},
			"Image", "sha256:" + image, "ResolvConfPath", "/var/lib/docker/containers/" + id + "/resolv.conf", "HostnamePath", "/var/lib/docker/containers/" + id + "/hostname", "HostsPath", "/var/lib/docker/containers/" + id + "/hosts", "LogPath", "/var/lib/docker/containers/" + id + "/" + id + "-json.log",
			"Name", "/shop-" + app + "-1", "RestartCount", m.IntN(3), "Driver", "overlay2", "Platform", "linux", "MountLabel", "", "ProcessLabel", "", "AppArmorProfile", "docker-default", "ExecIDs", nil,
			"HostConfig", obj{"Binds", list{"/srv/" + app + ":/data:rw"}, "NetworkMode", "shop_default", "PortBindings", obj{"8080/tcp", list{obj{"HostIp", "", "HostPort", strconv.Itoa(18080 + i)}}}, "RestartPolicy", obj{"Name", "unless-stopped", "MaximumRetryCount", 0}, "AutoRemove", false, "Memory", m.long(1 << 30), "NanoCpus", 0, "Privileged", false, "ReadonlyRootfs", m.chance(0.5), "ShmSize", 67108864, "LogConfig", obj{"Type", "json-file", "Config", obj{}}},
			"GraphDriver", obj{"Data", obj{"LowerDir", "/var/lib/docker/overlay2/" + m.hex(64) + "/diff:/var/lib/docker/overlay2/" + m.hex(64) + "/diff", "MergedDir", "/var/lib/docker/overlay2/" + id + "/merged", "UpperDir", "/var/lib/docker/overlay2/" + id + "/diff", "WorkDir", "/var/lib/docker/overlay2/" + id + "/work"}, "Name", "overlay2"},
			"Mounts", list{obj{"Type", "bind", "Source", "/srv/" + app, "Destination", "/data", "Mode", "rw", "RW", true, "Propagation", "rprivate"}},
			"Config", obj{"Hostname", id[:12], "Domainname", "", "User", "1000", "AttachStdin", false, "ExposedPorts", obj{"8080/tcp", obj{}}, "Tty", false, "Env", list{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "REGION=eu-north-1", "LOG_LEVEL=info"}, "Image", "registry.example.com/shop/" + app + ":1.4.0", "WorkingDir", "/app", "Entrypoint", list{"/usr/bin/" + app}, "Labels", obj{"com.docker.compose.project", "shop", "com.docker.compose.service", app, "com.docker.compose.version", "2.24.5", "com.docker.compose.config-hash", m.hex(64)}},
			"NetworkSettings", obj{"SandboxID", m.hex(64), "Ports", obj{"8080/tcp", list{obj{"HostIp", "0.0.0.0", "HostPort", strconv.Itoa(18080 + i)}}}, "Networks", obj{"shop_default", obj{"IPAMConfig", nil, "Links", nil, "Aliases", list{app, id[:12]}, "NetworkID", m.hex(64), "EndpointID", m.hex(64), "Gateway", "172.18.0.1", "IPAddress", ip, "IPPrefixLen", 16, "MacAddress", fmt.Sprintf("02:42:ac:12:00:%02x", 2+i)}}}}
	})
}

func vector(m maker) any {
	buckets := strings.Fields("0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf")
	handlers := strings.Fields("/api/v1/query /api/v1/query_range /api/v1/labels /metrics /graph /-/ready")
	return obj{"status", "success", "data", obj{"resultType", "vector", "result", rows(len(buckets)*len(handlers), func(i int) any {
		return obj{"metric", obj{"__name__", "http_request_duration_seconds_bucket", "handler", handlers[i/len(buckets)], "instance", "10.0.1.7:9090", "job", "prometheus", "le", buckets[i%len(buckets)], "region", "eu-north-1"},
			"value", list{decimal("1772431200.125"), strconv.Itoa(m.long(90_000) + i%len(buckets)*40)}}
	})}}
}

func matrix(m maker) any {
	return obj{"status", "success", "data", obj{"resultType", "matrix", "result", rows(8, func(i int) any {
		level := m.Float64() * 4
		return obj{"metric", obj{"__name__", "node_load1", "instance", fmt.Sprintf("10.0.1.%d:9100", 10+i), "job", "node", "zone", "eu-north-1" + string(rune('a'+i%3))},
			"values", rows(60, func(j int) any {
				level = math.Abs(level + m.NormFloat64()*0.2)
				return list{1_772_431_200 + 60*j, string(digits(level, 2))}
			})}
	})}}
}

func targets(m maker) any {
	return obj{"status", "success", "data", obj{"activeTargets", rows(24, func(i int) any {
		app := pick(m, services...)
		address := m.address() + ":9090"
		pod := app + "-" + m.lower(10) + "-" + m.lower(5)
		health, problem := "up", ""
		if m.chance(0.1) {
			health, problem = "down", "Get \"http://"+address+"/metrics\": dial tcp "+address+": connect: connection refused"
		}
		return obj{"discoveredLabels", obj{"__address__", address, "__meta_kubernetes_namespace", "shop", "__meta_kubernetes_pod_container_name", app, "__meta_kubernetes_pod_ip", strings.TrimSuffix(address, ":9090"), "__meta_kubernetes_pod_name", pod, "__meta_kubernetes_pod_phase", "Running", "__metrics_path__", "/metrics", "__scheme__", "http", "__scrape_interval__", "15s", "__scrape_timeout__", "10s", "job", "kubernetes-pods"},
			"labels", obj{"app", app, "instance", address, "job", "kubernetes-pods", "namespace", "shop", "pod", pod}, "scrapePool", "kubernetes-pods", "scrapeUrl", "http://" + address + "/metrics", "globalUrl", "http://" + address + "/metrics",
			"lastError", problem, "lastScrape", nanos(m.moment(0.001)), "lastScrapeDuration", m.real(0.001, 0.2, 9), "health", health, "scrapeInterval", "15s", "scrapeTimeout", "10s"}
	}), "droppedTargets", list{}}}
}

func spans(m maker) any {
	attribute := func(key string, x any) obj {
		kind := "stringValue"
		if n, ok := x.(int); ok {
			kind, x = "intValue", strconv.Itoa(n)
		}
		return obj{"key", key, "value", obj{kind, x}}
	}
	return obj{"resourceSpans", rows(4, func(i int) any {
		trace := m.hex(32)
		parent := ""
		at := zero.Add(time.Duration(m.long(900_000_000)) * time.Microsecond)
		return obj{"resource", obj{"attributes", list{attribute("service.name", services[i]), attribute("service.version", "1.4.0"), attribute("telemetry.sdk.language", "go"), attribute("host.name", services[i]+"-"+m.lower(10)), attribute("process.pid", m.long(40_000))}},
			"scopeSpans", list{obj{"scope", obj{"name", "github.com/example/shop/internal/trace", "version", "0.51.0"}, "spans", rows(10, func(j int) any {
				id := m.hex(16)
				start := at.Add(time.Duration(j*400+m.IntN(300)) * time.Microsecond)
				o := obj{"traceId", trace, "spanId", id, "parentSpanId", parent, "name", pick(m, "GET", "POST") + " /v1/" + pick(m, areas...) + "/{id}", "kind", 1 + m.IntN(3),
					"startTimeUnixNano", strconv.FormatInt(start.UnixNano()+int64(m.IntN(999)), 10), "endTimeUnixNano", strconv.FormatInt(start.UnixNano()+int64(m.long(90_000_000)), 10),
					"attributes", list{attribute("http.request.method", "GET"), attribute("url.path", "/v1/"+pick(m, areas...)+"/"+strconv.Itoa(m.long(90_000))), attribute("http.response.status_code", often(m, 200, 200, 204, 404, 500)), attribute("server.address", services[i]+".shop.svc"), attribute("network.peer.address", m.address())}, "status", obj{}}
				parent = id
				return o
			})}}}
	})}
}

func logs(m maker) any {
	at := zero
	return rows(130, func(i int) any {
		at = at.Add(time.Duration(m.long(4000)) * time.Millisecond)
		app := pick(m, services[:5]...)
		o := obj{"time", millis(at), "level", often(m, "INFO", "INFO", "WARN", "ERROR"), "service", app, "host", app + "-" + strconv.Itoa(m.IntN(3))}
		switch m.IntN(4) {
		case 0:
			return append(o, "msg", m.title(), "component", pick(m, areas...))
		case 1:
			return append(o, "msg", "query", "table", pick(m, nouns...)+"s", "rows", m.long(2000), "duration_ms", m.real(0, 80, 2), "trace_id", m.hex(32))
		case 2:
			return append(o, "msg", "job failed", "job", pick(m, verbs...)+"_"+pick(m, nouns...), "attempt", m.between(1, 5), "error", pick(m, nouns...)+": "+pick(m, "context deadline exceeded", "connection reset by peer", "no rows in result set", "invalid character '<' looking for beginning of value"))
		}
		return append(o, "msg", "request", "method", often(m, "GET", "POST", "PUT"), "path", "/v1/"+pick(m, areas...)+"/"+strconv.Itoa(m.long(90_000)), "status", often(m, 200, 201, 404, 500), "bytes", m.long(90_000), "duration_ms", m.real(0, 300, 2), "remote", m.address(), "trace_id", m.hex(32))
	})
}

func plan(m maker) any {
	change := func(i int) obj {
		name := pick(m, nouns...) + "_" + strconv.Itoa(i)
		kind := often(m, "aws_instance", "aws_security_group_rule", "aws_s3_bucket", "aws_iam_role")
		after := obj{"name", name, "tags", obj{"environment", "production", "team", pick(m, areas...), "managed_by", "terraform"}}
		unknown := obj{"arn", true, "id", true, "tags", obj{}}
		switch kind {
		case "aws_instance":
			after = append(after, "ami", "ami-"+m.hex(17), "instance_type", pick(m, "t3.micro", "m6i.large"), "availability_zone", "eu-north-1a", "ebs_optimized", nil, "monitoring", false, "subnet_id", "subnet-"+m.hex(17), "user_data", nil)
			unknown = append(unknown, "private_ip", true, "public_dns", true, "root_block_device", true)
		case "aws_security_group_rule":
			port := pick(m, 22, 80, 443, 5432)
			after = append(after, "type", "ingress", "from_port", port, "to_port", port, "protocol", "tcp", "cidr_blocks", list{m.address() + "/32"}, "description", m.title())
		case "aws_s3_bucket":
			after = append(after, "bucket", "shop-"+name, "force_destroy", false, "acl", "private")
		default:
			after = append(after, "assume_role_policy", `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`, "max_session_duration", 3600, "path", "/")
		}
		action := often(m, "create", "update", "no-op", "delete")
		var before any
		if action != "create" {
			before = after
		}
		return obj{"address", kind + "." + name, "mode", "managed", "type", kind, "name", name, "provider_name", "registry.terraform.io/hashicorp/aws", "change", obj{"actions", list{action}, "before", before, "after", after, "after_unknown", unknown, "before_sensitive", false, "after_sensitive", obj{"tags", obj{}}}}
	}
	return obj{"format_version", "1.2", "terraform_version", "1.9.5", "variables", obj{"region", obj{"value", "eu-north-1"}, "replicas", obj{"value", 3}}, "resource_changes", rows(22, func(i int) any { return change(i) }), "timestamp", stamp(zero), "errored", false, "applyable", true, "complete", true}
}

func series(m maker) any {
	level := 400.0
	return obj{"symbol", "QUAY", "interval", "1h", "currency", "EUR", "values", rows(240, func(i int) any {
		open := level
		level += m.NormFloat64() * 4
		return obj{"datetime", zero.Add(time.Duration(i) * time.Hour).Format("2006-01-02 15:04:05"), "open", string(digits(open, 2)), "high", string(digits(math.Max(open, level)+m.Float64()*2, 2)), "low", string(digits(math.Min(open, level)-m.Float64()*2, 2)), "close", string(digits(level, 2)), "volume", strconv.Itoa(m.long(900_000))}
	}), "status", "ok"}
}

func flags(m maker) any {
	var o obj
	for i := range 60 {
		f := obj{"enabled", m.chance(0.6), "rollout", m.IntN(101), "owner", pick(m, areas...), "description", m.title(), "updated", m.moment(300).Format("2006-01-02")}
		if m.chance(0.2) {
			f = append(f, "segments", several(m, 2, "beta", "staff", "eu", "mobile"))
		}
		o = append(o, fmt.Sprintf("%s_%s_%s%d", pick(m, areas...), pick(m, adjectives...), pick(m, nouns...), i), f)
	}
	return obj{"environment", "production", "version", 4182, "flags", o}
}

func configuration(m maker) any {
	var o obj
	for _, name := range services {
		host := name + ".shop.svc.example.internal"
		s := obj{"host", host, "port", pick(m, 8080, 8443, 9000), "timeout", pick(m, "5s", "30s", "1m"), "retries", m.IntN(5), "tls", obj{"enabled", m.chance(0.7), "certificate", "/etc/ssl/shop/" + name + ".pem"}}
		if m.chance(0.4) {
			s = append(s, "database", obj{"driver", "postgres", "dsn", "postgres://" + name + "@db.example.internal:5432/" + name + "?sslmode=verify-full", "pool", obj{"min", m.IntN(4), "max", m.between(5, 50)}})
		}
		if m.chance(0.5) {
			s = append(s, "cache", obj{"ttl", pick(m, "10m", "1h"), "size", m.long(100_000), "policy", "lru"})
		}
		if m.chance(0.5) {
			s = append(s, "limits", fields(m, m.between(1, 4), func() any { return m.long(10_000) }))
		}
		o = append(o, name, s)
	}
	return obj{"version", 3, "region", "eu-north-1", "log", obj{"level", "info", "format", "json", "outputs", list{"stderr", "/var/log/shop.log"}}, "services", o}
}
